//! Writes what docs/ holds of the program itself, keys, query words, pictures and screens: `cargo run --example make-docs`.

#[allow(dead_code, reason = "the tests of screens use all of it")]
#[path = "../it/support/stage.rs"]
mod stage;

mod picture;
mod pictures;
mod quotes;

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
    for entry in std::fs::read_dir(docs)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "md") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(&path)?;
            std::fs::write(&path, quotes::with_screens(&text, &name, env!("CARGO_MANIFEST_DIR").as_ref()))?;
        }
    }
    std::fs::write(format!("{docs}/QUERY.md"), query_markdown(&Words::english()))?;
    std::fs::write(format!("{docs}/CONFIG.md"), config_markdown(&Words::english()))?;
    std::fs::write(format!("{docs}/KEYS.md"), keys_markdown(&Words::english()))
}
