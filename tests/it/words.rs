//! Every word of a language file is said somewhere, and every language says every word.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use trajview::text::locale::{Language, Words};
use trajview::text::{sanitize, width};

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

/// The texts of a file, with their forms: `section.key`, `section.key.one`.
fn texts(language: Language) -> BTreeMap<String, String> {
    fn flatten(path: &str, table: &toml::Table, into: &mut BTreeMap<String, String>) {
        for (key, value) in table {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            match value {
                toml::Value::Table(inner) => flatten(&path, inner, into),
                toml::Value::String(text) => assert!(into.insert(path, text.clone()).is_none()),
                other => panic!("{path} is {other:?}"),
            }
        }
    }
    let path = format!("{}/assets/lang/{}.toml", env!("CARGO_MANIFEST_DIR"), language.code());
    let file = std::fs::read_to_string(&path).expect(&path);
    let table = file.parse::<toml::Table>().unwrap_or_else(|fault| {
        let start = fault.span().map_or(0, |span| span.start);
        let line = file[..start].matches('\n').count() + 1;
        panic!("assets/lang/{}.toml:{line}: {}", language.code(), fault.message());
    });
    let mut texts = BTreeMap::new();
    flatten("", &table, &mut texts);
    texts
}

/// The holes of a text, each once.
fn holes(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// The English texts that a text of another language stands for: its own, or both forms of a count.
fn stands_for(key: &str, english: &BTreeMap<String, String>) -> Vec<String> {
    let forms = [format!("{key}.one"), format!("{key}.many")];
    if english.contains_key(key) {
        vec![key.to_owned()]
    } else if forms.iter().all(|form| english.contains_key(form)) {
        forms.into()
    } else {
        Vec::new()
    }
}

/// What is wrong with the file of a language, one line each.
fn faults(language: Language, english: &BTreeMap<String, String>) -> Vec<String> {
    let own = texts(language);
    let mut faults = Vec::new();
    let mut said = BTreeSet::new();
    for (key, text) in &own {
        let stands_for = stands_for(key, english);
        if stands_for.is_empty() {
            faults.push(format!("{key} is not in English"));
        }
        for form in stands_for {
            let (expected, found) = (holes(&english[&form]), holes(text));
            if expected != found {
                faults.push(format!("{key}: holes {found:?}, in English {expected:?}"));
            }
            if !said.insert(form) {
                faults.push(format!("{key}: said twice, as one text and in two forms"));
            }
        }
    }
    faults
}

#[test]
fn no_language_says_what_english_does_not() {
    let english = texts(Language::English);
    for language in Language::ALL {
        let faults = faults(language, &english);
        assert!(faults.is_empty(), "assets/lang/{}.toml:\n{}", language.code(), faults.join("\n"));
    }
}

#[test]
fn every_language_says_what_english_says() {
    let english = texts(Language::English);
    for language in Language::ALL {
        let own = texts(language);
        let said: BTreeSet<String> = own.keys().flat_map(|key| stands_for(key, &english)).collect();
        let missing: Vec<&str> = english.keys().map(String::as_str).filter(|key| !said.contains(*key)).collect();
        assert!(missing.is_empty(), "assets/lang/{}.toml lacks:\n{}", language.code(), missing.join("\n"));
        for (key, text) in &own {
            for form in stands_for(key, &english) {
                assert_eq!(Words::of(language).get(&form), text, "{} is compiled in as another file", language.code());
            }
        }
    }
}

/// Signs of the design and letters of Spanish: one column wide, but in some East Asian terminals two.
const ONE_COLUMN: &str = "✓✗◦⊘▐╌╎›▸▾⋯↵⣿⡇áéíóúüñÁÉÍÓÚÑ¿¡";

#[test]
fn words_keep_to_characters_of_certain_width() {
    for language in Language::ALL {
        for (key, text) in texts(language) {
            // Class A of East Asian Width (dashes, curly quotes, dots) is one column wide here and two there.
            let is_odd =
                |c: &char| !c.is_ascii() && !ONE_COLUMN.contains(*c) && width::columns(c.encode_utf8(&mut [0; 4])) != 2;
            let odd: String = text.chars().filter(is_odd).collect();
            assert_eq!(odd, "", "{}: {key}", language.code());
            assert_eq!(sanitize::display(text.as_bytes()), text, "{}: {key}", language.code());
        }
    }
}

/// The table of terms: rows of cells, the first with the codes of the languages.
fn terms() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/TRANSLATING.md");
    let document = fs::read_to_string(path).expect("the document is there");
    let rows = document.lines().filter(|line| line.starts_with("| ") && !line.starts_with("|--"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn terms_are_those_that_the_languages_use() {
    let terms = terms();
    let (head, rows) = terms.split_first().expect("the table has a head");
    assert!(rows.len() > 40);
    let mut unused = Vec::new();
    for language in Language::ALL {
        let column = head.iter().position(|cell| cell == language.code()).unwrap_or_default();
        let said: Vec<String> = texts(language).into_values().map(|text| text.to_lowercase()).collect();
        let is_said = |term: &str| said.iter().any(|text| text.contains(term));
        unused.extend(rows.iter().map(|row| &row[column]).filter(|term| !is_said(term)));
    }
    assert!(unused.is_empty(), "docs/TRANSLATING.md has terms that no screen says: {unused:?}");
}
