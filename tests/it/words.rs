//! Every word of a language file is said somewhere.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use trajview::text::locale::Words;

/// Sections whose keys the sources name without the section.
const BY_NAME: [&str; 7] = ["approval", "count", "hidden", "hidden_sense", "key_name", "result", "what"];

/// Beginnings of keys that end in a value.
const BY_VALUE: [&str; 2] = ["pass.step_", "changes.replace_all_"];

/// All string literals of the sources below a folder, so far as they stand on one line.
fn literals(folder: &Path, found: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            literals(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            // A piece between two quotes is a literal or what stands between two: the latter names no key.
            found.extend(text.split('"').map(str::to_owned));
        }
    }
}

#[test]
fn no_word_is_left_that_nothing_says() {
    let mut said = HashSet::new();
    literals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut said);
    let words = Words::english();
    let is_said = |key: &str| {
        let key = key.strip_suffix(".one").or(key.strip_suffix(".many")).unwrap_or(key);
        let by_name = key.split_once('.').is_some_and(|(section, name)| {
            let name = if section == "approval" { name.strip_suffix("_unset").unwrap_or(name) } else { name };
            BY_NAME.contains(&section) && said.contains(name)
        });
        said.contains(key) || by_name || BY_VALUE.iter().any(|start| key.starts_with(start))
    };
    let unsaid: Vec<&str> = words.keys().filter(|key| !is_said(key)).collect();
    assert_eq!(unsaid, [""; 0]);
}
