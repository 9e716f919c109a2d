//! Files that a call changes: as its arguments ask, and as its result tells (docs/FORMAT.md section 12).

use super::wire;
use crate::record::event::{Changes, FileChange, MOST_FILES};
use crate::record::json::{Value, prefix};
use crate::text::wire::WireText;

/// Tools of the harness that write files, by the name they have unless a deployment renames them.
const WRITERS: [&str; 3] = ["edit", "write", "str_replace_editor"];

/// Bytes of arguments in which a path is looked for; it may stand behind the content.
const MOST_ARGUMENTS: usize = 1 << 20;

/// Names of the argument that is the path.
const PATHS: [&str; 3] = ["file_path", "path", "filePath"];

/// The path that the arguments of a writing tool name; `None` for other tools, and where they name none.
pub(super) fn written_path(name: Option<Value<'_>>, arguments: Option<Value<'_>>) -> Option<Box<WireText>> {
    let name = name?.as_text()?;
    if !WRITERS.iter().any(|writer| name.is(writer)) {
        return None;
    }
    let text = arguments?.as_text()?.decode_upto(MOST_ARGUMENTS);
    let parsed = prefix(&text);
    let of = |key: &&str| {
        let field = parsed.fields.iter().rev().find(|field| field.key.is_some_and(|found| found.is(key)))?;
        wire(field.value)
    };
    PATHS.iter().find_map(of).map(Box::new)
}

/// What the `meta` of a result tells; `None` where it tells of no files.
pub(super) fn told(meta: Value<'_>) -> Option<Box<Changes>> {
    let [diffs, operation] = meta.pick(["diffs", "operation"]);
    let diffs = diffs.filter(|diffs| diffs.is_array())?;
    let mut files: Vec<FileChange> = Vec::new();
    for diff in diffs.items() {
        let [path, text] = diff.pick(["path", "newText"]);
        let Some(path) = wire(path).filter(|_| text.is_some()) else { continue };
        // Hunks of one file follow each other.
        if let Some(last) = files.last_mut().filter(|last| last.path == path) {
            last.hunks = last.hunks.saturating_add(1);
        } else if files.len() < MOST_FILES {
            files.push(FileChange { path, hunks: 1 });
        }
    }
    Some(Box::new(Changes { operation: wire(operation), files }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value<'_> {
        Value::parse(text.as_bytes()).expect("JSON")
    }

    #[test]
    fn the_path_is_found_wherever_it_stands() {
        let table = [
            (r#""write""#, r#"{"content":"x","file_path":"a.js"}"#, Some("a.js")),
            (r#""edit""#, r#"{"file_path":"a.js","old_string":"#, Some("a.js")),
            (r#""edit""#, r#"{"path":"b"}"#, Some("b")),
            (r#""edit""#, r#"{"path":7}"#, None),
            (r#""edit""#, "", None),
            (r#""read""#, r#"{"file_path":"a.js"}"#, None),
            ("7", r#"{"file_path":"a.js"}"#, None),
        ];
        for (name, arguments, expected) in table {
            let text = serde_json::to_string(arguments).expect("a string");
            let path = written_path(Some(value(name)), Some(value(&text)));
            assert_eq!(path.as_deref(), expected.map(WireText::from).as_ref(), "{name} {arguments}");
        }
        assert_eq!(written_path(Some(value(r#""edit""#)), Some(value("{}"))), None);
    }

    #[test]
    fn hunks_are_counted_by_file() {
        let meta = r#"{"diffs":[{"path":"a","newText":"1"},{"path":"a","newText":"2"},{"path":"b","newText":""},{"path":"c"},7]}"#;
        let told = told(value(meta)).expect("diffs");
        let files: Vec<_> = told.files.iter().map(|file| (file.path.as_bytes(), file.hunks)).collect();
        assert_eq!(files, [(&b"a"[..], 2), (b"b", 1)]);
        assert_eq!(super::told(value(r#"{"lines":[]}"#)), None);
        assert_eq!(super::told(value(r#"{"diffs":{}}"#)), None);
        assert_eq!(super::told(value("[1]")), None);
        let created = super::told(value(r#"{"diffs":[],"operation":"create"}"#)).expect("diffs");
        assert_eq!((created.operation.clone(), created.files.len()), (Some("create".into()), 0));
        let many = vec![r#"{"path":"a","newText":""},{"path":"b","newText":""}"#; 2_000].join(",");
        assert_eq!(super::told(value(&format!(r#"{{"diffs":[{many}]}}"#))).expect("diffs").files.len(), MOST_FILES);
    }
}
