//! Reads a language file. The build script does, which makes the tables of [`super::Words`] of all of them, and the tests.

use std::collections::BTreeMap;

/// Texts by key, as `section.key`.
pub(super) type Texts = BTreeMap<String, String>;

/// Adds the keys of a language file, whose name is `assets/lang/CODE.toml`. A text of a key takes the place of an
/// earlier one.
///
/// # Errors
///
/// What is wrong with the file, after its name and the line: a fault of syntax, a key that comes twice, a value that
/// is no text. The keys before the fault may have been added.
pub(super) fn read(texts: &mut Texts, code: &str, file: &str) -> Result<(), String> {
    let at = |place: usize, what: &str| {
        let line = file.get(..place).unwrap_or_default().matches('\n').count() + 1;
        format!("assets/lang/{code}.toml:{line}: {what}")
    };
    match file.parse::<toml::Table>() {
        Ok(table) => flatten(texts, "", &table).map_err(|key| at(0, &format!("{key} is no text"))),
        Err(fault) => Err(at(fault.span().map_or(0, |span| span.start), fault.message())),
    }
}

/// Adds the keys of a table; `Err` with the first that is neither a text nor a table.
fn flatten(texts: &mut Texts, prefix: &str, table: &toml::Table) -> Result<(), String> {
    for (key, value) in table {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::String(text) => put(texts, path, text),
            toml::Value::Table(inner) => flatten(texts, &path, inner)?,
            _ => return Err(path),
        }
    }
    Ok(())
}

/// Adds a text. A language without a plural writes one text where English writes two: it stands for both.
fn put(texts: &mut Texts, path: String, text: &str) {
    let forms = ["one", "many"].map(|form| format!("{path}.{form}"));
    if forms.iter().all(|form| texts.contains_key(form)) {
        texts.extend(forms.map(|form| (form, text.to_owned())));
    } else {
        texts.insert(path, text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_a_file_names_file_and_line() {
        let faults = [
            ("[a]\nx = \"1\"\ny = 2\"\n", "assets/lang/xx.toml:3: "),
            ("[a]\nx = \"1\"\n[b]\ny = \"1\"\ny = \"2\"\n", "assets/lang/xx.toml:5: "),
            ("[a]\nx = \"1\"\n[b]\n[a]\n", "assets/lang/xx.toml:4: "),
            ("[a]\nx = 1\n", "assets/lang/xx.toml:1: a.x is no text"),
        ];
        for (file, expected) in faults {
            let fault = read(&mut Texts::new(), "xx", file).unwrap_err();
            assert!(fault.starts_with(expected) && fault.len() > expected.len() - 1, "{file:?}: {fault}");
        }
    }

    #[test]
    fn a_language_says_what_it_has_and_leaves_the_rest() {
        let mut texts = Texts::new();
        read(&mut texts, "en", "[time]\nago = \"{time} ago\"\n[missing]\nnone = \"none\"\n").unwrap();
        read(&mut texts, "xx", "[time]\nago = \"antes {time}\"\n").unwrap();
        assert_eq!([&texts["time.ago"], &texts["missing.none"]], ["antes {time}", "none"]);
    }

    #[test]
    fn one_text_stands_for_both_forms_of_a_count() {
        let mut texts = Texts::new();
        read(&mut texts, "en", "[count]\nevents = { one = \"{n} event\", many = \"{n} events\" }\n").unwrap();
        read(&mut texts, "xx", "[count]\nevents = \"{n} 个事件\"\n").unwrap();
        assert_eq!([&texts["count.events.one"], &texts["count.events.many"]], ["{n} 个事件"; 2]);
        assert_eq!(texts.len(), 2);
    }
}
