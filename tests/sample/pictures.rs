//! Which pictures there are: the sample, after some keys.

use trajview::text::locale::Language;

use super::picture::svg;
use super::stage::{Stage, cells_of};

/// Name, language, size, and the keys pressed before.
const PICTURES: [(&str, Language, (u16, u16), &str); 7] = [
    ("main", Language::English, MAIN, ""),
    ("main.zh-CN", Language::ChineseSimplified, MAIN, ""),
    ("main.zh-TW", Language::ChineseTraditional, MAIN, ""),
    ("main.ko", Language::Korean, MAIN, ""),
    ("main.es", Language::Spanish, MAIN, ""),
    ("six-steps", Language::English, (100, 28), "T"),
    ("approvals", Language::English, MAIN, "60GLLL"),
];

/// The size of pictures with four panes.
const MAIN: (u16, u16) = (120, 36);

/// Names and pictures.
pub fn all() -> impl Iterator<Item = (&'static str, String)> {
    PICTURES.into_iter().map(|(name, language, (columns, rows), keys)| {
        let log = include_bytes!("../../assets/sample/session.v4.jsonl.zstd").to_vec();
        let mut stage = Stage::open_in(language, log, "assets/sample/session.v4.jsonl.zstd", columns, rows);
        stage.press(keys);
        let (buffer, _) = stage.draw();
        let cells = |buffer: &_, y| cells_of(buffer, y).map(|(x, symbol)| (x, symbol.to_owned())).collect();
        (name, svg(&buffer, cells))
    })
}
