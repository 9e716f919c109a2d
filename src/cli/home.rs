//! Where the harness keeps its sessions (docs/FORMAT.md section 1.1).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::config::settings::Environment;

/// The sessions root: below `DSH_HOME`, else below `.dsh` in the home folder. `None` where neither is known.
///
/// A `DSH_HOME` of blanks alone counts as unset; a leading `~` in it is the home folder.
pub(crate) fn sessions_root(environment: &dyn Environment, home: Option<&Path>) -> Option<PathBuf> {
    let is_set = |value: &OsStr| value.as_encoded_bytes().iter().any(|byte| !byte.is_ascii_whitespace());
    let base = match environment.var("DSH_HOME").filter(|value| is_set(value)) {
        Some(value) => expanded(Path::new(&value), home),
        None => home?.join(".dsh"),
    };
    Some(base.join("sessions"))
}

/// The path with a leading `~` replaced; `~name` is another's home and stays as it is.
fn expanded(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        (Ok(_), None) | (Err(_), _) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    struct Dsh(Option<&'static str>);

    impl Environment for Dsh {
        fn var(&self, name: &str) -> Option<OsString> {
            (name == "DSH_HOME").then_some(self.0).flatten().map(OsString::from)
        }
    }

    #[test]
    fn the_root_is_below_dsh_home_or_the_home_folder() {
        let home = Path::new("/home/u");
        for (dsh, home, root) in [
            (None, Some(home), Some("/home/u/.dsh/sessions")),
            (Some(""), Some(home), Some("/home/u/.dsh/sessions")),
            (Some(" \t"), Some(home), Some("/home/u/.dsh/sessions")),
            (Some("/srv/dsh"), Some(home), Some("/srv/dsh/sessions")),
            (Some("~"), Some(home), Some("/home/u/sessions")),
            (Some("~/dsh"), Some(home), Some("/home/u/dsh/sessions")),
            (Some("~other/dsh"), Some(home), Some("~other/dsh/sessions")),
            (Some("~/dsh"), None, Some("~/dsh/sessions")),
            (None, None, None),
        ] {
            assert_eq!(sessions_root(&Dsh(dsh), home), root.map(PathBuf::from), "{dsh:?}");
        }
    }
}
