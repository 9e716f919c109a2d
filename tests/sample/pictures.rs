//! Which pictures there are: the sample, after some keys.

use super::picture::svg;
use super::stage::{Stage, cells_of};

/// Name, size, and the keys pressed before.
const PICTURES: [(&str, (u16, u16), &str); 3] =
    [("main", (120, 36), ""), ("six-steps", (100, 28), "T"), ("approvals", (120, 36), "60GLLL")];

/// Names and pictures.
pub fn all() -> impl Iterator<Item = (&'static str, String)> {
    PICTURES.into_iter().map(|(name, (columns, rows), keys)| {
        let log = include_bytes!("../../assets/sample/session.v4.jsonl.zstd").to_vec();
        let mut stage = Stage::open(log, "assets/sample/session.v4.jsonl.zstd", columns, rows);
        stage.press(keys);
        let (buffer, _) = stage.draw();
        let cells = |buffer: &_, y| cells_of(buffer, y).map(|(x, symbol)| (x, symbol.to_owned())).collect();
        (name, svg(&buffer, cells))
    })
}
