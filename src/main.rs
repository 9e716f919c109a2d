//! The thin binary.
use std::sync::Arc;
fn main() {
    let path = std::path::PathBuf::from(std::env::args().nth(3).unwrap_or_default());
    let source: Arc<dyn trajview::log::source::Source> = Arc::new(trajview::log::source::FileSource::open(&path).unwrap());
    let enc = match trajview::log::sniff::sniff(source.as_ref()).unwrap() { trajview::log::sniff::Content::Zstd => trajview::log::sniff::Encoding::Zstd, trajview::log::sniff::Content::Empty if path.to_string_lossy().ends_with("zstd") => trajview::log::sniff::Encoding::Zstd, _ => trajview::log::sniff::Encoding::Plain };
    let mut log = trajview::triage::open::Log::new(source, enc, &path, trajview::session::piece::Keep::Nothing);
    let threads = std::env::var("THREADS").ok().and_then(|t| t.parse().ok()).unwrap_or(2);
    log.read(threads, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let session = log.into_session().unwrap();
    let stdout = std::io::stdout();
    trajview::report::json::write(&session, &mut std::io::BufWriter::new(stdout.lock())).unwrap();
    std::process::exit(trajview::report::exit::status(&session.facts).into());
}
