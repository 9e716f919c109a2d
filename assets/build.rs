//! Makes tables of the language files, sorted by key, so that no start of the program reads them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[path = "../src/text/locale/file.rs"]
mod file;

/// The languages, as `Language` orders them: the first has every key, and says what another lacks.
const CODES: [&str; 5] = ["en", "zh-CN", "zh-TW", "ko", "es"];

fn main() {
    println!("cargo::rerun-if-changed=assets/lang");
    println!("cargo::rerun-if-changed=src/text/locale/file.rs");
    let mut tables = String::from("[\n");
    let mut english = file::Texts::new();
    for code in CODES {
        let path = format!("assets/lang/{code}.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut texts = english.clone();
        file::read(&mut texts, code, &text).unwrap_or_else(|fault| panic!("{fault}"));
        writeln!(tables, "&{:?},", Vec::from_iter(&texts)).expect("a string takes it");
        if english.is_empty() {
            english = texts;
        }
    }
    tables.push(']');
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("words.rs"), tables).expect("the folder is there");
}
