//! The first line: what the session is (docs/FORMAT.md section 3).
//!
//! Any object is taken as a header unless it looks like an event; what the harness would say against it is a list of problems.

use super::json::{Spans, Text, Value};
use super::kinds::Kind;
use crate::text::wire::WireText;
use std::fmt;

/// First format version whose headers say `isSeeded` instead of `seedLength`.
pub(crate) const SEEDED_SINCE: i64 = 2;

/// First format version whose headers may hold known keys only.
const EXACT_SINCE: i64 = 1;

/// Last format version this program knows.
pub const LAST_KNOWN: i64 = 5;

/// The header line. A field is `None` where it is missing or not of its type; `problems` tells which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Format version.
    pub version: Option<i64>,
    /// Session id.
    pub id: Option<WireText>,
    /// Creation time, milliseconds since the Unix epoch.
    pub created_at: Option<i64>,
    /// Working directory.
    pub cwd: Option<WireText>,
    /// Id of the session it was forked from or started by.
    pub parent_session: Option<WireText>,
    /// Number of inherited events (versions 0 and 1).
    pub seed_length: Option<i64>,
    /// Whether there are inherited events (from version 2).
    pub is_seeded: Option<bool>,
    /// `subagent`, or what else is written there.
    pub origin: Option<WireText>,
    /// 0 for a session that a person started, one more for each delegation.
    pub delegation_depth: Option<i64>,
    /// Preset at creation.
    pub agent_preset: Option<WireText>,
    /// The line as stored, without its line end.
    pub raw: Box<[u8]>,
    /// Keys that no version of the header has, each once, in file order.
    pub unknown_keys: Vec<WireText>,
    /// What is wrong with it, in the order of the fields.
    pub problems: Vec<HeaderProblem>,
}

/// One thing wrong with a header, judged by the rules of its own version; of an unknown version only the version is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderProblem {
    /// A required field is not there.
    Missing(HeaderField),
    /// A field has a value that the harness does not take.
    Invalid(HeaderField),
    /// A field that its version does not have: `seedLength` from version 2, `isSeeded` before.
    NotInVersion(HeaderField),
    /// A key that the codec of its version refuses.
    UnknownKey(WireText),
    /// A key of the first builds that version 0 refuses: `sandboxMode`, `approvalPolicy`.
    RetiredKey(&'static str),
    /// A version that this program does not know.
    UnknownVersion(i64),
}

/// A field of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeaderField {
    /// `type`.
    Type,
    /// `version`.
    Version,
    /// `id`.
    Id,
    /// `createdAt`.
    CreatedAt,
    /// `cwd`.
    Cwd,
    /// `parentSession`.
    ParentSession,
    /// `seedLength`.
    SeedLength,
    /// `isSeeded`.
    IsSeeded,
    /// `origin`.
    Origin,
    /// `delegationDepth`.
    DelegationDepth,
    /// `agentPreset`.
    AgentPreset,
}

impl HeaderField {
    /// Every field, in the order the harness writes them.
    pub const ALL: [Self; 11] = [
        Self::Type,
        Self::Version,
        Self::Id,
        Self::CreatedAt,
        Self::Cwd,
        Self::ParentSession,
        Self::SeedLength,
        Self::IsSeeded,
        Self::Origin,
        Self::DelegationDepth,
        Self::AgentPreset,
    ];

    /// The key as the log spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Version => "version",
            Self::Id => "id",
            Self::CreatedAt => "createdAt",
            Self::Cwd => "cwd",
            Self::ParentSession => "parentSession",
            Self::SeedLength => "seedLength",
            Self::IsSeeded => "isSeeded",
            Self::Origin => "origin",
            Self::DelegationDepth => "delegationDepth",
            Self::AgentPreset => "agentPreset",
        }
    }
}

impl fmt::Display for HeaderProblem {
    /// The words of the report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "{} missing", field.name()),
            Self::Invalid(field) => write!(f, "{} invalid", field.name()),
            Self::NotInVersion(field) => write!(f, "{} not in this version", field.name()),
            Self::UnknownKey(key) => write!(f, "unknown key \"{}\"", key.to_report()),
            Self::RetiredKey(key) => write!(f, "retired key \"{key}\""),
            Self::UnknownVersion(version) => write!(f, "version {version} unknown"),
        }
    }
}

/// Values of the known keys, the last where one is repeated.
#[derive(Default)]
struct Found<'a> {
    values: [Option<Value<'a>>; HeaderField::ALL.len()],
    retired: Vec<&'static str>,
    unknown: Vec<Text<'a>>,
}

impl<'a> Found<'a> {
    fn of(spans: &'a Spans<'a>) -> Self {
        let mut found = Self::default();
        spans.each(|key, value| {
            if let Some(place) = HeaderField::ALL.iter().position(|field| key.is(field.name())) {
                if let Some(slot) = found.values.get_mut(place) {
                    *slot = Some(value);
                }
                return;
            }
            found.unknown.push(key);
            for retired in ["sandboxMode", "approvalPolicy"] {
                if key.is(retired) && !found.retired.contains(&retired) {
                    found.retired.push(retired);
                }
            }
        });
        found
    }

    fn value(&self, field: HeaderField) -> Option<Value<'a>> {
        self.values.get(field as usize).copied().flatten()
    }

    fn integer(&self, field: HeaderField) -> Option<i64> {
        self.value(field).and_then(Value::as_i64)
    }

    fn text(&self, field: HeaderField) -> Option<WireText> {
        self.value(field).and_then(Value::as_text).map(Text::to_wire)
    }

    /// Keys outside the header's own, each once.
    fn unknown_keys(&self) -> Vec<WireText> {
        let mut seen = std::collections::HashSet::new();
        self.unknown.iter().map(|key| key.to_wire()).filter(|key| seen.insert(key.clone())).collect()
    }
}

impl Header {
    /// Reads a first line; `None` where it is not JSON, no object, or an event. Time and memory grow with the line.
    #[must_use]
    pub fn parse(line: &[u8]) -> Option<Self> {
        let spans = Spans::parse(line).ok()?;
        if !spans.value().is_object() || looks_like_event(&spans) {
            return None;
        }
        let found = Found::of(&spans);
        let unknown_keys = found.unknown_keys();
        let problems = problems(&found, &unknown_keys);
        Some(Self {
            version: found.integer(HeaderField::Version),
            id: found.text(HeaderField::Id),
            created_at: found.integer(HeaderField::CreatedAt),
            cwd: found.text(HeaderField::Cwd),
            parent_session: found.text(HeaderField::ParentSession),
            seed_length: found.integer(HeaderField::SeedLength),
            is_seeded: found.value(HeaderField::IsSeeded).and_then(Value::as_bool),
            origin: found.text(HeaderField::Origin),
            delegation_depth: found.integer(HeaderField::DelegationDepth),
            agent_preset: found.text(HeaderField::AgentPreset),
            raw: line.into(),
            unknown_keys,
            problems,
        })
    }
}

/// An object that is no header: it is not tagged as one, and is tagged, numbered or filled like an event.
fn looks_like_event(spans: &Spans<'_>) -> bool {
    let mut tag = None;
    let mut like_event = false;
    spans.each(|key, value| {
        if key.is("type") {
            tag = Some(value);
        }
        like_event |= key.is("seq") || key.is("seq0") || key.is("data");
    });
    match tag.and_then(Value::as_text) {
        Some(tag) if tag.is("session") => false,
        Some(tag) => like_event || Kind::from_name(&tag.decode_upto(64)) != Kind::Unknown,
        None => like_event,
    }
}

fn problems(found: &Found<'_>, unknown_keys: &[WireText]) -> Vec<HeaderProblem> {
    let version = match found.value(HeaderField::Version) {
        None => None,
        Some(value) => match value.as_i64() {
            // A later header may have any shape, so nothing else is judged.
            Some(version) if !(0..=LAST_KNOWN).contains(&version) => {
                return vec![HeaderProblem::UnknownVersion(version)];
            }
            version => version,
        },
    };
    // Without a version the harness of version 0 is the one that could have written it.
    let rules = version.unwrap_or(0);
    let mut problems: Vec<_> =
        HeaderField::ALL.iter().filter_map(|&field| field_problem(found, field, rules)).collect();
    if rules >= EXACT_SINCE {
        problems.extend(unknown_keys.iter().cloned().map(HeaderProblem::UnknownKey));
    } else {
        problems.extend(found.retired.iter().map(|key| HeaderProblem::RetiredKey(key)));
    }
    problems
}

fn field_problem(found: &Found<'_>, field: HeaderField, version: i64) -> Option<HeaderProblem> {
    let (in_version, required) = match field {
        HeaderField::Type
        | HeaderField::Version
        | HeaderField::Id
        | HeaderField::CreatedAt
        | HeaderField::DelegationDepth => (true, true),
        HeaderField::Cwd | HeaderField::ParentSession | HeaderField::Origin | HeaderField::AgentPreset => (true, false),
        HeaderField::SeedLength => (version < SEEDED_SINCE, false),
        HeaderField::IsSeeded => (version >= SEEDED_SINCE, version >= SEEDED_SINCE),
    };
    match found.value(field) {
        None => required.then_some(HeaderProblem::Missing(field)),
        // Version 0 lets keys pass that it does not know.
        Some(_) if !in_version => (version >= EXACT_SINCE).then_some(HeaderProblem::NotInVersion(field)),
        Some(value) => (!is_valid(field, value)).then_some(HeaderProblem::Invalid(field)),
    }
}

/// Whether the start of a path makes it absolute on the system it comes from: `/`, `\\`, or a drive letter as in `C:\`.
fn is_absolute(start: &[u8]) -> bool {
    matches!(start, [b'/' | b'\\', ..] | [b'A'..=b'Z' | b'a'..=b'z', b':', b'/' | b'\\', ..])
}

fn is_valid(field: HeaderField, value: Value<'_>) -> bool {
    match field {
        HeaderField::Type => value.as_text().is_some_and(|text| text.is("session")),
        HeaderField::Version => value.as_i64().is_some_and(|version| version >= 0),
        HeaderField::Id | HeaderField::ParentSession | HeaderField::AgentPreset => value.as_text().is_some(),
        HeaderField::Cwd => value.as_text().is_some_and(|text| is_absolute(&text.decode_upto(3))),
        HeaderField::CreatedAt | HeaderField::DelegationDepth | HeaderField::SeedLength => {
            value.as_i64().is_some_and(|number| number >= 0) && !value.is_negative_zero()
        }
        HeaderField::IsSeeded => value.as_bool().is_some(),
        HeaderField::Origin => value.as_text().is_some_and(|text| text.is("subagent")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = r#"{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/srv","delegationDepth":0}"#;

    fn texts(line: &str) -> Vec<String> {
        Header::parse(line.as_bytes()).expect("a header").problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn reads_every_field() {
        let line = r#"{"type":"session","version":2,"id":"a\u0062","createdAt":5,"cwd":"/x","parentSession":"p",
            "isSeeded":true,"origin":"subagent","delegationDepth":2,"agentPreset":"ptc"}"#;
        let header = Header::parse(line.as_bytes()).expect("a header");
        assert_eq!(header.version, Some(2));
        assert_eq!(header.id, Some(WireText::from("ab")));
        assert_eq!(header.is_seeded, Some(true));
        assert_eq!(header.delegation_depth, Some(2));
        assert_eq!(header.parent_session, Some(WireText::from("p")));
        assert!(header.problems.is_empty());
        assert_eq!(&*header.raw, line.as_bytes());
    }

    #[test]
    fn problems_speak_the_words_of_the_report() {
        let cases: &[(&str, &[&str])] = &[
            (SOUND, &[]),
            (r#"{"type":"session","version":0,"id":"s","createdAt":1}"#, &["delegationDepth missing"]),
            (r#"{"type":"session","id":"s","createdAt":1,"delegationDepth":0}"#, &["version missing"]),
            (
                r#"{"type":"session","version":0,"id":"s","createdAt":-0,"delegationDepth":"0","cwd":""}"#,
                &["createdAt invalid", "cwd invalid", "delegationDepth invalid"],
            ),
            (
                r#"{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0,"x":1,"sandboxMode":1}"#,
                &["retired key \"sandboxMode\""],
            ),
            (
                r#"{"type":"session","version":1,"id":"s","createdAt":1,"delegationDepth":0,"x":1,"x":2}"#,
                &["unknown key \"x\""],
            ),
            (
                r#"{"type":"session","version":3,"id":"s","createdAt":1,"delegationDepth":0,"seedLength":1}"#,
                &["seedLength not in this version", "isSeeded missing"],
            ),
            (
                r#"{"type":"session","version":1,"id":"s","createdAt":1,"delegationDepth":0,"isSeeded":false}"#,
                &["isSeeded not in this version"],
            ),
            (r#"{"type":"session","version":9,"what":true}"#, &["version 9 unknown"]),
            (
                r#"{"version":"0","id":1,"createdAt":1,"delegationDepth":0}"#,
                &["type missing", "version invalid", "id invalid"],
            ),
            (
                r#"{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0,"cwd":"srv/app"}"#,
                &["cwd invalid"],
            ),
            (r#"{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0,"cwd":"C:\\x"}"#, &[]),
            (
                r#"{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0,"origin":"x"}"#,
                &["origin invalid"],
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(texts(line), *expected, "{line}");
        }
    }

    #[test]
    fn tells_a_header_from_an_event() {
        let cases = [
            (SOUND, true),
            ("{}", true),
            (r#"{"id":"s","cwd":"/"}"#, true),
            (r#"{"type":"session","seq":0}"#, true),
            (r#"{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}"#, false),
            (r#"{"type":"turn/start"}"#, false),
            (r#"{"seq":0,"time":1,"data":{}}"#, false),
            (r#"{"type":"text-chunks","seq0":0}"#, false),
            (r#"{"type":"other","id":"s"}"#, true),
            ("[]", false),
            ("{", false),
            ("", false),
        ];
        for (line, expected) in cases {
            assert_eq!(Header::parse(line.as_bytes()).is_some(), expected, "{line}");
        }
    }

    #[test]
    fn many_unknown_keys_cost_no_more_than_their_number() {
        let keys: Vec<String> = (0..50_000).map(|n| format!("\"k{n}\":0")).collect();
        let line = format!("{{\"type\":\"session\",{}}}", keys.join(","));
        let header = Header::parse(line.as_bytes()).expect("a header");
        assert_eq!(header.unknown_keys.len(), 50_000);
    }
}
