//! The bug report (docs/SCREENS.md section 16): a preview of the text; nothing is sent.

use super::sheet::{Sheet, title};
use super::{Page, PageKind};
use crate::app::family::rule_key;
use crate::app::message::Epoch;
use crate::app::parted;
use crate::session::row::EventRef;
use crate::store::lineage::{Lineage, Link, MemberIx, Parent};
use crate::text::locale::Words;
use crate::text::role::Role;
use crate::text::sanitize::{display, one_line};
use crate::triage::doc::DocLine;
use crate::triage::facts::{Basis, Call};
use crate::triage::pass::arguments::told;
use crate::triage::pass::bug::{Added, Awaited, bug_report};
use crate::triage::pass::citation::Cited;
use crate::triage::pass::secrets::{Secret, secrets, without};
use crate::triage::peek::Peek;
use crate::triage::session::Session;
use crate::triage::what::{Blocks, result_content};

/// Ways in which secrets were known that are named.
const MOST_NAMED: usize = 3;

/// Bytes of arguments and of a result that are added.
const MOST_BYTES: usize = 16 << 10;

/// Their lines, and the columns of one.
const MOST_LINES: usize = 400;
const MOST_COLUMNS: usize = 4_000;

/// What can be added to the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Addable {
    /// The arguments of the call, and of the call that it waits for.
    Arguments,
    /// The text of the result.
    Result,
}

impl Addable {
    /// Key of the words above it in the report.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Addable::Arguments => "bug.arguments",
            Addable::Result => "bug.result",
        }
    }
}

/// How it is in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Given {
    /// It is left out.
    #[default]
    Out,
    /// What looks like a secret is replaced.
    WithoutSecrets,
    /// As the log has it.
    AsRecorded,
}

/// What is in the report besides the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Switches {
    arguments: Given,
    result: Given,
    /// What is to be added, once it is said how.
    pub(crate) asked: Option<Addable>,
}

impl Switches {
    /// How something is in the report.
    pub(crate) fn of(self, what: Addable) -> Given {
        match what {
            Addable::Arguments => self.arguments,
            Addable::Result => self.result,
        }
    }

    /// Puts it in, or takes it out.
    pub(crate) fn set(&mut self, what: Addable, given: Given) {
        match what {
            Addable::Arguments => self.arguments = given,
            Addable::Result => self.result = given,
        }
    }
}

/// What the report is about, and what is added to it.
struct Draft<'a> {
    on: Switches,
    words: &'a Words,
    /// What looks like a secret in what is asked about; `None` while its text is not here.
    found: Option<Vec<Secret>>,
    /// Such parts that were replaced, and that are in the report as recorded.
    replaced: usize,
    recorded: usize,
}

impl Draft<'_> {
    /// The text as it is to be in the report.
    fn add(&mut self, what: Addable, text: Option<String>) -> Option<String> {
        let given = self.on.of(what);
        let asked = self.on.asked == Some(what);
        if let (Some(text), true) = (&text, asked) {
            self.found.get_or_insert_default().extend(secrets(text));
        }
        let text = text.filter(|_| given != Given::Out)?;
        let found = secrets(&text);
        match given {
            Given::Out => None,
            Given::WithoutSecrets => {
                self.replaced += found.len();
                Some(without(&text, &found, self.words.get("bug.secret")))
            }
            Given::AsRecorded => {
                self.recorded += found.len();
                Some(text)
            }
        }
    }

    /// What became of the parts that look like secrets, above the text that they are in.
    fn warn(&self, sheet: &mut Sheet<'_>) {
        for (key, hits) in [("bug.secrets", self.replaced), ("bug.secrets_recorded", self.recorded)] {
            if hits > 0 {
                sheet.push(DocLine::of(self.words.count(key, hits as u64), Role::Warn));
            }
        }
    }

    /// The question how something is to be added, and what is known of its text.
    fn question(&self) -> Option<String> {
        let words = self.words;
        let key = match self.on.asked? {
            Addable::Arguments => "bug.ask_arguments",
            Addable::Result => "bug.ask_result",
        };
        let found = match &self.found {
            None => words.get("bug.text_comes").to_owned(),
            Some(found) if found.is_empty() => words.get("bug.no_secret").to_owned(),
            Some(found) => {
                let mut after: Vec<String> = Vec::new();
                for secret in found {
                    let name = if secret.after.is_empty() {
                        words.get("bug.long_hex").to_owned()
                    } else {
                        format!("\"{}\"", secret.after)
                    };
                    if !after.contains(&name) && after.len() < MOST_NAMED {
                        after.push(name);
                    }
                }
                words.count_with("bug.looks_secret", found.len() as u64, &[("after", &after.join(", "))])
            }
        };
        Some(words.say(key, &[("found", &found)]))
    }
}

/// The page.
pub(crate) fn page(mut sheet: Sheet<'_>, cited: Cited, on: Switches) -> Page {
    let (words, session) = (sheet.words, sheet.session);
    let mut draft = Draft { on, words, found: None, replaced: 0, recorded: 0 };
    let mut added = Added::default();
    let child = awaited(&sheet, cited);
    if let Some(call) = called(session, cited) {
        let epoch = sheet.model.epoch;
        let line = call.call_row.or(call.message_row).and_then(|row| sheet.text_of((epoch, row)));
        added.is_json = line.and_then(|line| told(line, call, words)).and_then(|told| told.is_json);
        added.arguments = draft.add(Addable::Arguments, arguments(&mut sheet, epoch, call));
        added.result = draft.add(Addable::Result, result(&mut sheet, call));
        added.awaited = child.and_then(|child| {
            let epoch = sheet.model.epoch_of(Some(child.member))?;
            let text = arguments(&mut sheet, epoch, child.call);
            let arguments = draft.add(Addable::Arguments, text);
            let id = sheet.model.family.lineage.as_ref()?.get(child.member)?.id.as_ref();
            let session = id.map(|id| display(id.as_bytes())).unwrap_or_default();
            Some(Awaited { session, rule: words.get(rule_key(child.link)), call: child.call, arguments })
        });
    }
    let text = bug_report(session, cited, &added, words);
    let mut title = title(&sheet, "bug.title", vec![words.get("bug.preview").to_owned()]);
    for (key, given) in [("bug.switch_result", on.result), ("bug.switch_arguments", on.arguments)] {
        let is_in = given != Given::Out;
        let state = words.get(if is_in { "bug.on" } else { "bug.off" });
        let text = words.say(key, &[("state", state)]);
        title.right.insert(0, parted::Part::fixed(text, if is_in { Role::Warn } else { Role::Normal }));
    }
    sheet.doc.lines.extend(draft.question().map(|text| DocLine::of(text, Role::Warn)));
    let added_at = text.iter().position(|line| line.text == words.get(Addable::Arguments.heading()));
    let added_at = added_at.or(text.iter().position(|line| line.text == words.get(Addable::Result.heading())));
    for (nth, line) in text.iter().enumerate() {
        if Some(nth) == added_at {
            draft.warn(&mut sheet);
        }
        let role = if line.text.starts_with("##") { Role::Strong } else { Role::Normal };
        let indent = if line.text.starts_with("- ") { 2 } else { 0 };
        let target = line.row.map(|row| EventRef { row, member: 0 });
        let at = sheet.doc.lines.len();
        sheet.push(DocLine { target, indent, ..DocLine::of(line.text.clone(), role) });
        if let (true, Some(child), Some(event)) = (line.is_awaited, child, target) {
            sheet.lead_to(at, child.member, event);
        }
    }
    let whole: String = text.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect();
    sheet.doc.value = Some(whole.into_bytes().into());
    sheet.finish(PageKind::Bug, title, 0)
}

/// The call that the report is about.
pub(crate) fn called(session: &Session, cited: Cited) -> Option<&Call> {
    match cited {
        Cited::Call(at) => session.facts.calls.get(at),
        Cited::Event(_) => None,
    }
}

/// An open call of a session below.
#[derive(Clone, Copy)]
struct Below<'a> {
    level: u32,
    member: MemberIx,
    call: &'a Call,
    /// What ties the sessions that lead down to it to the call that is reported.
    link: Link,
}

/// The open call furthest down in the sessions that the call started.
fn awaited<'a>(sheet: &Sheet<'a>, cited: Cited) -> Option<Below<'a>> {
    let Cited::Call(at) = cited else { return None };
    let family = &sheet.model.family;
    let lineage = family.lineage.as_ref()?;
    called(sheet.session, cited).filter(|call| call.basis == Basis::Inferred)?;
    let below = (0..).map(MemberIx).zip(&lineage.members).filter_map(|(member, of)| {
        let link = link_down(lineage, member, family.focused).filter(|link| link.call() == Some(at))?;
        let facts = &sheet.model.open_of(member)?.session.facts;
        let call = facts.calls.get(facts.last_unpaired?).filter(|call| !call.inherited)?;
        Some(Below { level: of.level, member, call, link })
    });
    below.max_by_key(|below| (below.level, below.member))
}

/// What ties the child of a session from which the way leads down to a member to that session.
fn link_down(lineage: &Lineage, member: MemberIx, from: MemberIx) -> Option<Link> {
    let of = lineage.get(member)?;
    match of.parent {
        Parent::Here(parent) if parent == from => Some(of.link),
        Parent::Here(parent) => link_down(lineage, parent, from),
        Parent::None | Parent::Missing(_) | Parent::Cycle(_) => None,
    }
}

fn arguments(sheet: &mut Sheet<'_>, epoch: Epoch, call: &Call) -> Option<String> {
    let line = sheet.text_of((epoch, call.call_row.or(call.message_row)?))?;
    let data = Peek::line(line)?.get("data")?;
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
