//! The bug report (docs/SCREENS.md section 16): a preview of the text; nothing is sent.

use super::sheet::{Sheet, title};
use super::{Page, PageKind};
use crate::app::parted;
use crate::session::row::EventRef;
use crate::text::role::Role;
use crate::text::sanitize::one_line;
use crate::triage::doc::DocLine;
use crate::triage::facts::Call;
use crate::triage::pass::bug::{Added, bug_report, without_secrets};
use crate::triage::pass::citation::Cited;
use crate::triage::peek::Peek;
use crate::triage::what::{Blocks, result_content};

/// Bytes of arguments and of a result that are added.
const MOST_BYTES: usize = 16 << 10;

/// Their lines, and the columns of one.
const MOST_LINES: usize = 400;
const MOST_COLUMNS: usize = 4_000;

/// What is in the report besides the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Switches {
    /// The arguments.
    pub(crate) arguments: bool,
    /// The text of the result.
    pub(crate) result: bool,
}

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>, cited: Cited, on: Switches) -> Page {
    let (words, session) = (sheet.words, sheet.session);
    let call = match cited {
        Cited::Call(at) => session.facts.calls.get(at),
        Cited::Event(_) => None,
    };
    let (mut added, mut hits) = (Added::default(), 0);
    if let Some(call) = call {
        if on.arguments {
            let (text, found) = without_secrets(&arguments(&mut sheet, call).unwrap_or_default());
            (added.arguments, hits) = (Some(text), hits + found);
        }
        if on.result {
            let (text, found) = without_secrets(&result(&mut sheet, call).unwrap_or_default());
            (added.result, hits) = (Some(text), hits + found);
        }
    }
    let text = bug_report(session, cited, &added, words);
    let mut title = title(&sheet, "bug.title", vec![words.get("bug.preview").to_owned()]);
    for (key, on) in [("bug.switch_result", on.result), ("bug.switch_arguments", on.arguments)] {
        let state = words.get(if on { "bug.on" } else { "bug.off" });
        let text = words.say(key, &[("state", state)]);
        title.right.insert(0, parted::Part::fixed(text, if on { Role::Warn } else { Role::Normal }));
    }
    if hits > 0 {
        sheet.push(DocLine::of(words.count("bug.secrets", hits as u64), Role::Warn));
    }
    for line in &text {
        let role = if line.text.starts_with("##") { Role::Strong } else { Role::Normal };
        let indent = if line.text.starts_with("- ") { 2 } else { 0 };
        let target = line.row.map(|row| EventRef { row, member: 0 });
        sheet.push(DocLine { target, indent, ..DocLine::of(line.text.clone(), role) });
    }
    let whole: String = text.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect();
    sheet.doc.value = Some(whole.into_bytes().into());
    sheet.finish(PageKind::Bug, title, 0)
}

fn arguments(sheet: &mut Sheet<'_>, call: &Call) -> Option<String> {
    let data = Peek::line(sheet.text(call.call_row.or(call.message_row)?)?)?.get("data")?;
    let arguments = if call.call_row.is_some() {
        data.get("arguments")?
    } else {
        let blocks = data.path(&["message", "content"])?.items();
        blocks.into_iter().filter(|block| block.says("type", "tool-call")).nth(call.block as usize)?.get("arguments")?
    };
    Some(printable(&arguments.text(MOST_BYTES)?))
}

fn result(sheet: &mut Sheet<'_>, call: &Call) -> Option<String> {
    let content = result_content(Peek::line(sheet.text(call.result_row?)?)?.get("data")?)?;
    Some(printable(&Blocks::of(content, MOST_BYTES).text))
}

fn printable(bytes: &[u8]) -> String {
    let lines = bytes.split(|byte| *byte == b'\n').take(MOST_LINES).map(|line| one_line(line, MOST_COLUMNS));
    lines.collect::<Vec<_>>().join("\n")
}
