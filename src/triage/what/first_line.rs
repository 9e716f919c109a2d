//! What a call is about, in one line: the tool's own first line (docs/SCREENS.md, end of section 23).
//!
//! Known by the names of the arguments, the tool's name only where two tools share them.

use std::borrow::Cow;

use super::line::MOST_BYTES;
use super::session::todo_words;
use crate::text::locale::Words;
use crate::text::sanitize::one_line;
use crate::text::width::{columns, short_path};
use crate::triage::peek::Peek;

/// What a call is about, as its arguments say.
#[derive(Debug, Clone)]
pub(crate) enum Known<'a> {
    /// A shell command.
    Command(Cow<'a, [u8]>),
    /// A file.
    Path(Cow<'a, [u8]>),
    /// A search in texts: pattern, and where.
    Search(Cow<'a, [u8]>, Option<Cow<'a, [u8]>>),
    /// A search for files.
    Files(Cow<'a, [u8]>, Option<Cow<'a, [u8]>>),
    /// A list of things to do.
    Todos(Peek<'a>),
    /// A program.
    Program(Cow<'a, [u8]>),
    /// A question to a search engine, or the host of an address.
    Query(Cow<'a, [u8]>),
    /// A task for another agent.
    Task(Cow<'a, [u8]>),
    /// The first string of the arguments.
    Text(Cow<'a, [u8]>),
    /// Nothing of these.
    Raw,
}

/// Names under which tools take a path.
const PATH_KEYS: [&str; 5] = ["file_path", "path", "filePath", "notebook_path", "filename"];

/// What the arguments of a call are about.
pub(crate) fn known<'a>(name: &[u8], arguments: Peek<'a>) -> Known<'a> {
    let text = |key: &str| arguments.text_of(key, MOST_BYTES);
    if let Some(command) = text("command").or_else(|| words_of(arguments.get("command"))) {
        return Known::Command(command);
    }
    if let Some(todos) = arguments.get("todos").filter(|todos| todos.raw().first() == Some(&b'[')) {
        return Known::Todos(todos);
    }
    let path = || PATH_KEYS.iter().find_map(|key| text(key));
    if let Some(pattern) = text("pattern") {
        let is_glob = name.windows(4).any(|part| part == b"glob");
        return if is_glob { Known::Files(pattern, path()) } else { Known::Search(pattern, path()) };
    }
    if let Some(path) = path() {
        return Known::Path(path);
    }
    if let Some(program) = text("code").or_else(|| text("program")) {
        return Known::Program(program);
    }
    if let Some(query) = text("query").or_else(|| words_of(arguments.get("queries"))) {
        return Known::Query(query);
    }
    if let Some(url) = text("url") {
        return Known::Query(Cow::Owned(host(&url).to_vec()));
    }
    let for_agent = name.starts_with(b"subagent") || arguments.get("prompt").is_some();
    if let Some(description) = text("description").filter(|_| for_agent) {
        return Known::Task(description);
    }
    let first = arguments.fields().into_iter().find_map(|(_, value)| value.text(MOST_BYTES));
    first.map_or(Known::Raw, Known::Text)
}

/// The strings of an array, a blank between two.
fn words_of(list: Option<Peek<'_>>) -> Option<Cow<'_, [u8]>> {
    let parts: Vec<_> = list?.items().into_iter().take(100).filter_map(|item| item.text(MOST_BYTES)).collect();
    (!parts.is_empty()).then(|| Cow::Owned(parts.join(&b' ')))
}

/// The host of an address; an address without one as it is.
fn host(url: &[u8]) -> &[u8] {
    let Some(at) = url.windows(3).position(|part| part == b"://") else { return url };
    let rest = url.get(at + 3..).unwrap_or_default();
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// The first line of a text that is not blank.
fn first_text_line(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty()).unwrap_or_default()
}

/// What a call is about, on one line of at most `max_columns`.
///
/// `arguments` is the raw text that the model produced, or its start (`whole` is then `false`). Text that is no JSON is
/// shown as it is, with `(not JSON)` after it. An empty text is run as `{}` by the harness and shown as nothing.
#[must_use]
pub fn first_line(name: &[u8], arguments: &[u8], whole: bool, words: &Words, max_columns: usize) -> String {
    if arguments.is_empty() {
        return String::new();
    }
    let peek = Peek::line(arguments);
    match peek {
        Some(peek) if peek.is_whole() || !whole => first_line_of(name, peek, words, max_columns),
        _ => {
            let mark = words.say("what.not_json", &[]);
            let room = max_columns.saturating_sub(columns(&mark) + 1);
            format!("{} {mark}", one_line(arguments, room))
        }
    }
}

/// As [`first_line`] for arguments that are a value already.
pub(super) fn first_line_of(name: &[u8], arguments: Peek<'_>, words: &Words, max: usize) -> String {
    let at = |path: Option<Cow<'_, [u8]>>| {
        path.map_or_else(String::new, |path| format!(" {}", short_path(&one_line(&path, 300), max)))
    };
    match known(name, arguments) {
        Known::Command(text) | Known::Text(text) | Known::Query(text) => one_line(&text, max),
        Known::Path(path) => short_path(&one_line(&path, 300), max),
        Known::Search(pattern, path) => format!("/{}/{}", one_line(&pattern, max), at(path)),
        Known::Files(pattern, path) => format!("{}{}", one_line(&pattern, max), at(path)),
        Known::Todos(todos) => todo_words(words, todos),
        Known::Program(text) => one_line(first_text_line(&text), max),
        Known::Task(text) => format!("\"{}\"", one_line(&text, max)),
        Known::Raw => {
            let raw = arguments.raw();
            one_line(raw.get(..raw.len().min(MOST_BYTES)).unwrap_or_default(), max)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_tell_what_a_call_is_about() {
        let table: &[(&str, &str, &str)] = &[
            ("bash", r#"{"command":"echo 1; echo 2","description":"Say"}"#, "echo 1; echo 2"),
            ("shell", r#"{"command":["bash","-lc","ls"]}"#, "bash -lc ls"),
            ("read", r#"{"file_path":"src/cart.js","offset":3}"#, "src/cart.js"),
            ("write", r#"{"content":"x","file_path":"/tmp/a"}"#, "/tmp/a"),
            ("grep", r#"{"pattern":"total","path":"src"}"#, "/total/ src"),
            ("grep", r#"{"pattern":"total"}"#, "/total/"),
            ("glob", r#"{"pattern":"**/*.js"}"#, "**/*.js"),
            ("mcp__files__search", r#"{"pattern":"a b"}"#, "/a b/"),
            ("subagent", r#"{"description":"Build it","prompt":"CHILD"}"#, "\"Build it\""),
            ("subagent_fork", r#"{"description":"Think"}"#, "\"Think\""),
            (
                "todo_write",
                r#"{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"}]}"#,
                "3 items: 1 done, 1 doing, 1 open",
            ),
            ("run_code", r#"{"description":"x","code":"\n  const a = 1\nreturn a"}"#, "const a = 1"),
            ("web_search", r#"{"queries":["rust tui"]}"#, "rust tui"),
            ("web_fetch", r#"{"url":"https://example.com/a?b"}"#, "example.com"),
            ("mcp__tracker__create_issue", r#"{"n":1,"title":"broken"}"#, "broken"),
            ("x", r#"{"n":1}"#, r#"{"n":1}"#),
            ("x", "{}", "{}"),
            ("x", "", ""),
            ("x", r#"{"title":"broken","labels":["a","#, r#"{"title":"broken","labels":["a", (not JSON)"#),
            ("bash", "{\"command\":\"a\\nb\\u001b[31m\"}", "a↵b\\u001b[31m"),
        ];
        let words = Words::english();
        for (name, arguments, expected) in table {
            let line = first_line(name.as_bytes(), arguments.as_bytes(), true, &words, 200);
            assert_eq!(line, *expected, "{name} {arguments}");
        }
    }

    #[test]
    fn a_cut_text_is_not_called_no_json() {
        let words = Words::english();
        let cut = br#"{"command":"echo a very long li"#;
        assert_eq!(first_line(b"bash", cut, false, &words, 80), "echo a very long li");
    }

    #[test]
    fn the_words_not_json_are_never_cut_off() {
        let words = Words::english();
        let line = first_line(b"x", b"{\"title\":\"a long title that goes on\"", true, &words, 24);
        assert!(line.ends_with("(not JSON)") && columns(&line) == 24, "{line}");
    }
}
