//! Screens inside documents: a comment says which, and the fence behind it holds what the program draws.
//!
//! ```text
//! <!-- screen size=80x24 keys=u rows=3-4 -->
//! ```
//!
//! Words that may be left out: `log` (the sample), `lang` (that of the file's name), `size` (80x24), `keys` (none),
//! `rows` (all). Rows count from 1.

use std::ops::RangeInclusive;
use std::path::Path;

use trajview::text::locale::Language;

use super::stage::Stage;

/// How a comment begins that asks for a screen.
const ASKS: &str = "<!-- screen";

/// Which screen is asked for.
struct Quote {
    log: String,
    language: Language,
    size: (u16, u16),
    keys: String,
    rows: RangeInclusive<usize>,
}

/// The language of a document by its name: `READING.ko.md`.
fn language_of(name: &str) -> Language {
    let code = name.strip_suffix(".md").and_then(|stem| stem.rsplit_once('.')).map_or("en", |(_, code)| code);
    Language::named(code).unwrap_or_default()
}

impl Quote {
    fn read(comment: &str, document: &str) -> Quote {
        let mut quote = Quote {
            log: "assets/sample/session.v4.jsonl.zstd".to_owned(),
            language: language_of(document),
            size: (80, 24),
            keys: String::new(),
            rows: 1..=usize::MAX,
        };
        for (word, value) in comment.split_whitespace().filter_map(|word| word.split_once('=')) {
            let two = |by: char| value.split_once(by).expect("two numbers");
            match word {
                "log" => value.clone_into(&mut quote.log),
                "lang" => quote.language = Language::named(value).expect("a language"),
                "size" => quote.size = (two('x').0.parse().expect("columns"), two('x').1.parse().expect("rows")),
                "keys" => value.clone_into(&mut quote.keys),
                "rows" => quote.rows = two('-').0.parse().expect("a row")..=two('-').1.parse().expect("a row"),
                other => panic!("{document}: {other} is no word of a screen"),
            }
        }
        quote
    }

    /// The rows, without blanks at their ends.
    fn drawn(&self, root: &Path) -> String {
        let log = std::fs::read(root.join(&self.log)).unwrap_or_else(|error| panic!("{}: {error}", self.log));
        let mut stage = Stage::open_in(self.language, log, &self.log, self.size.0, self.size.1);
        stage.press(&self.keys);
        let text = stage.text();
        let rows = text.lines().enumerate().filter(|(at, _)| self.rows.contains(&(at + 1)));
        rows.flat_map(|(_, row)| [row.trim_end(), "\n"]).collect()
    }
}

/// A document with its screens drawn anew. `document` is the name of its file.
pub fn with_screens(text: &str, document: &str, root: &Path) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line.starts_with(ASKS) {
            let fence = lines.next().expect("a fence follows the comment");
            assert!(fence.starts_with("```"), "{document}: {line}: no fence follows");
            let drawn = Quote::read(line, document).drawn(root);
            out.extend([fence, "\n", &drawn, "```\n"]);
            let _ = lines.by_ref().take_while(|line| *line != "```").count();
        }
    }
    out
}
