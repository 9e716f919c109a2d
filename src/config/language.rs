//! Which language is spoken.

use std::ffi::{OsStr, OsString};

use super::settings::Environment;
use crate::text::locale::Language;

/// The language: that of the flag, else that of the settings, else that of the locale, else English.
pub(crate) fn language(flag: Option<Language>, settings: Option<Language>, environment: &dyn Environment) -> Language {
    flag.or(settings).or_else(|| of_locale(environment)).unwrap_or_default()
}

/// The language of the locale: `LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set and not empty.
///
/// `None` when it is not spoken here, or when its letters are named and are not UTF-8: the words of a language other
/// than English cannot be written there.
fn of_locale(environment: &dyn Environment) -> Option<Language> {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| environment.filled(name))?;
    let letters = locale.split_once('.').map(|(_, rest)| rest.split('@').next().unwrap_or(rest).to_ascii_lowercase());
    let is_utf8 = letters.is_none_or(|letters| matches!(letters.as_str(), "utf-8" | "utf8"));
    Language::named(&locale).filter(|_| is_utf8)
}

/// What `--lang` says in arguments that are not read, or cannot be: the language of the complaint about them.
pub(crate) fn in_arguments(args: &[OsString]) -> Option<Language> {
    let after = |at: usize| args.get(at + 1).map(OsString::as_os_str);
    let said = args.iter().enumerate().filter_map(|(at, arg)| match arg.to_str()?.strip_prefix("--lang")? {
        "" => after(at).and_then(OsStr::to_str),
        rest => rest.strip_prefix('='),
    });
    said.filter_map(Language::named).last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{ChineseSimplified, ChineseTraditional, English, Korean, Spanish};

    struct Made(&'static [(&'static str, &'static str)]);

    impl Environment for Made {
        fn var(&self, name: &str) -> Option<OsString> {
            self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        }
    }

    #[test]
    fn a_flag_goes_before_settings_and_these_before_the_locale() {
        let korean = Made(&[("LANG", "ko_KR.UTF-8")]);
        assert_eq!(language(Some(Spanish), Some(ChineseSimplified), &korean), Spanish);
        assert_eq!(language(None, Some(ChineseSimplified), &korean), ChineseSimplified);
        assert_eq!(language(None, None, &korean), Korean);
        assert_eq!(language(None, None, &Made(&[])), English);
    }

    #[test]
    fn the_locale_is_read_in_the_order_of_posix() {
        for (environment, expected) in [
            (&[("LANG", "zh_CN.UTF-8")][..], ChineseSimplified),
            (&[("LANG", "zh_SG")], ChineseSimplified),
            (&[("LANG", "zh_TW.utf8")], ChineseTraditional),
            (&[("LANG", "zh_HK.UTF-8")], ChineseTraditional),
            (&[("LANG", "zh_MO")], ChineseTraditional),
            (&[("LANG", "es_AR.UTF-8@x")], Spanish),
            (&[("LANG", "es_AR.UTF-8"), ("LC_MESSAGES", "ko_KR.UTF-8")], Korean),
            (&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "C")], English),
            (&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "")], Korean),
            (&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "de_DE.UTF-8")], English),
            (&[("LANG", "ko_KR.EUC-KR")], English),
            (&[("LANG", "zh_CN.GB18030")], English),
        ] {
            assert_eq!(language(None, None, &Made(environment)), expected, "{environment:?}");
        }
    }

    #[test]
    fn arguments_tell_the_language_before_they_are_read() {
        for (args, expected) in [
            (&["trajview", "--lang", "ko", "--nonsense"][..], Some(Korean)),
            (&["trajview", "--lang=zh-TW"], Some(ChineseTraditional)),
            (&["trajview", "--lang=ko", "--lang=es"], Some(Spanish)),
            (&["trajview", "--lang"], None),
            (&["trajview", "--lang", "xx"], None),
            (&["trajview", "--language"], None),
        ] {
            let args: Vec<OsString> = args.iter().map(OsString::from).collect();
            assert_eq!(in_arguments(&args), expected, "{args:?}");
        }
    }
}
