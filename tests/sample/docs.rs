//! Writes what docs/ holds of the program itself, keys, query words and pictures: `cargo run --example make-docs`.

#[allow(dead_code, reason = "the tests of screens use all of it")]
#[path = "../it/support/stage.rs"]
mod stage;

mod picture;
mod pictures;

use trajview::app::keymap::keys_markdown;
use trajview::config::printed::config_markdown;
use trajview::query::words::query_markdown;
use trajview::text::locale::Words;

fn main() -> std::io::Result<()> {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    std::fs::create_dir_all(format!("{docs}/screenshots"))?;
    for (name, picture) in pictures::all() {
        std::fs::write(format!("{docs}/screenshots/{name}.svg"), picture)?;
    }
    std::fs::write(format!("{docs}/QUERY.md"), query_markdown(&Words::english()))?;
    std::fs::write(format!("{docs}/CONFIG.md"), config_markdown(&Words::english()))?;
    std::fs::write(format!("{docs}/KEYS.md"), keys_markdown(&Words::english()))
}
