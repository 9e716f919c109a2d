//! Stores written by code: sessions with their headers, and every kind of clutter between them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use trajview::store::{Brief, Census, Disk, SessionIx, Store, discover, encode_session_id, project_folder_name};
use trajview::text::wire::WireText;

use super::writer::Script;

/// A folder that sessions are written into. Removed when dropped.
pub struct StoreFolder {
    folder: tempfile::TempDir,
}

/// A session to write: what its header says, and how it goes.
pub struct Planned<'a> {
    pub id: &'a str,
    pub cwd: Option<&'a str>,
    pub parent: Option<&'a str>,
    pub depth: i64,
    /// The log behind its header; the script is given with the header in it.
    pub log: fn(&mut Script),
}

impl<'a> Planned<'a> {
    /// A session of `/srv/demo-app` that completed a turn.
    pub fn new(id: &'a str) -> Planned<'a> {
        Planned { id, cwd: Some("/srv/demo-app"), parent: None, depth: 0, log: completed }
    }

    /// The same with a parent, one level deeper than nothing.
    pub fn child(id: &'a str, parent: &'a str, depth: i64) -> Planned<'a> {
        Planned { parent: Some(parent), depth, ..Planned::new(id) }
    }

    /// A log of a format version.
    pub fn script(&self, version: i64) -> Script {
        let mut keys = json!({ "id": self.id, "cwd": self.cwd, "delegationDepth": self.depth });
        if let Some(parent) = self.parent {
            keys["parentSession"] = json!(parent);
            if self.depth > 0 {
                keys["origin"] = json!("subagent");
            }
        }
        let mut script = Script::with_header(version, &keys);
        (self.log)(&mut script);
        script
    }
}

/// A turn that completed.
pub fn completed(script: &mut Script) {
    script.turn();
    script.step();
    script.user("Do it.");
    script.say("Done.");
    script.end_step();
    script.end_turn("completed");
}

/// A turn whose last call has no result.
pub fn open_call(script: &mut Script) {
    script.turn();
    script.step();
    script.user("Do it.");
    script.ask(&[("call_open", "bash", "{\"command\":\"make\"}")]);
    script.call("call_open", "bash", "{\"command\":\"make\"}");
}

impl StoreFolder {
    /// An empty folder.
    pub fn new() -> StoreFolder {
        StoreFolder { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, its folders too.
    pub fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("a folder can be made");
        fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Writes a session of version 0 where the harness would; the path of its log comes back.
    pub fn session(&self, planned: &Planned<'_>) -> PathBuf {
        self.generation(planned, 0)
    }

    /// Writes a generation of a session where the harness would.
    pub fn generation(&self, planned: &Planned<'_>, version: i64) -> PathBuf {
        let project = project_folder_name(planned.cwd.map(WireText::from).as_ref());
        let script = planned.script(version);
        let folder = encode_session_id(planned.id.as_bytes()).expect("an id");
        self.write(&format!("{project}/{folder}/{}", script.name()), &script.zstd())
    }

    /// What is found in it.
    pub fn discover(&self) -> Store {
        find(self.path())
    }
}

/// What is found at a path of the disk.
pub fn find(root: &Path) -> Store {
    discover(Arc::new(Disk), root, &mut |_| std::ops::ControlFlow::Continue(())).expect("the root can be listed")
}

/// The quick briefs of all sessions, and what is true of them together.
pub fn briefs(store: &Store) -> (Vec<Option<Brief>>, Census) {
    let briefs: Vec<_> = store.sessions.iter().map(|session| Some(store.quick(session.current()))).collect();
    let census = Census::of(store, &briefs);
    (briefs, census)
}

/// The place of a session by its id; the first, where it is stored twice.
pub fn place(census: &Census, id: &str) -> SessionIx {
    let at = census.kin.iter().position(|kin| kin.id.as_ref().is_some_and(|found| *found == id));
    SessionIx(at.unwrap_or_else(|| unreachable!("no session {id}")) as u32)
}

/// Ids of sessions as text.
pub fn ids(census: &Census, places: &[SessionIx]) -> Vec<String> {
    places.iter().map(|at| census.kin[at.at()].id.as_ref().map(WireText::to_report).unwrap_or_default()).collect()
}
