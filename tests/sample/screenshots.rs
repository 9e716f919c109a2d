//! Draws the pictures of the README: `cargo run --example make-screenshots`.

#[allow(dead_code, reason = "the tests of screens use all of it")]
#[path = "../it/support/stage.rs"]
mod stage;

mod picture;
mod pictures;

fn main() -> std::io::Result<()> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/screenshots");
    std::fs::create_dir_all(folder)?;
    for (name, picture) in pictures::all() {
        std::fs::write(format!("{folder}/{name}.svg"), picture)?;
    }
    Ok(())
}
