//! The one table of keys: the parser, the completion and docs/QUERY.md come from it.

use super::ast::{Is, State};
use crate::text::locale::Words;

/// A key of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// `type:`
    Type,
    /// `tool:`
    Tool,
    /// `call:`
    Call,
    /// `turn:`
    Turn,
    /// `step:`
    Step,
    /// `seq:`
    Seq,
    /// `depth:`
    Depth,
    /// `is:`
    Is,
    /// `state:`
    State,
    /// `code:`
    Code,
    /// `approval:`
    Approval,
    /// `waited:`
    Waited,
    /// `took:`
    Took,
    /// `after:`
    After,
    /// `arg~`
    Arg,
    /// `text~`
    Text,
}

/// What the table says of a key.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// The key.
    pub key: Key,
    /// Its name.
    pub name: &'static str,
    /// What stands behind it: `:` or `~`.
    pub sign: char,
    /// Whole examples, the first the best.
    pub examples: &'static [&'static str],
    /// Key of its words in the language file.
    pub help: &'static str,
}

const fn word(key: Key, name: &'static str, sign: char, examples: &'static [&'static str], help: &'static str) -> Word {
    Word { key, name, sign, examples, help }
}

/// Every key, in the order in which they are told.
pub const WORDS: [Word; 16] = [
    word(Key::Type, "type", ':', &["type:tool/*", "type:assistant/message"], "query.key_type"),
    word(Key::Tool, "tool", ':', &["tool:bash", "tool:mcp__*"], "query.key_tool"),
    word(Key::Call, "call", ':', &["call:call_03*"], "query.key_call"),
    word(Key::Is, "is", ':', &["is:unpaired", "is:error", "is:hidden", "is:surface", "is:inherited"], "query.key_is"),
    word(
        Key::State,
        "state",
        ':',
        &["state:outcome_unknown", "state:not_started", "state:failed", "state:completed"],
        "query.key_state",
    ),
    word(Key::Code, "code", ':', &["code:RATE_LIMIT", "code:tool_*"], "query.key_code"),
    word(
        Key::Approval,
        "approval",
        ':',
        &["approval:rejected", "approval:none", "approval:open", "approval:*"],
        "query.key_approval",
    ),
    word(Key::Waited, "waited", ':', &["waited:>30s", "waited:1m..5m"], "query.key_waited"),
    word(Key::Took, "took", ':', &["took:>5s", "took:<=250ms"], "query.key_took"),
    word(Key::Turn, "turn", ':', &["turn:3", "turn:2..4"], "query.key_turn"),
    word(Key::Step, "step", ':', &["step:1..2"], "query.key_step"),
    word(Key::Seq, "seq", ':', &["seq:100..", "seq:33..86"], "query.key_seq"),
    word(Key::Depth, "depth", ':', &["depth:0", "depth:>0"], "query.key_depth"),
    word(Key::After, "after", ':', &["after:16:05", "after:2026-11-30T16:05"], "query.key_after"),
    word(Key::Arg, "arg", '~', &["arg~\"rm -rf\"", "arg~/--force\\b/"], "query.key_arg"),
    word(Key::Text, "text", '~', &["text~retry", "\"two words\"", "/time(d )?out/"], "query.key_text"),
];

impl Key {
    /// What the table says of it.
    #[must_use]
    pub fn word(self) -> &'static Word {
        // A test holds the table to one line a key.
        WORDS.iter().find(|word| word.key == self).unwrap_or(&WORDS[0])
    }

    /// The key of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Key> {
        WORDS.iter().find(|word| word.name == name).map(|word| word.key)
    }
}

/// The text of docs/QUERY.md.
#[must_use]
pub fn query_markdown(words: &Words) -> String {
    let mut out = String::from(
        "# Query language\n\n\
         The filter line (`f`), `trajview events --filter`, `trajview report --fail-on` and `trajview --filter` take the same\n\
         words. This page is made from the table of the parser: `cargo run --example make-docs`.\n\n\
         A blank is *and*; `or`, `not` or `!`, and brackets join further: `tool:bash (state:failed or took:>1m)`.\n\
         `or` binds weaker than a blank. What is wrong is told with its column.\n\n\
         | word | selects events |\n|---|---|\n",
    );
    for word in WORDS {
        let examples: Vec<String> = word.examples.iter().map(|example| format!("`{example}`")).collect();
        out.extend(["| ", &examples.join(" "), " | ", words.get(word.help), " |\n"]);
    }
    let names = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
    let is = names(&Is::ALL.map(Is::name));
    let states = names(&State::ALL.map(State::name));
    out + &format!(
        "\n- Values: `is:` takes {is}; `state:` takes {states}; `approval:` an outcome as recorded, `open` (never\n  \
         decided) or `none`.\n\
         - `*` in a value stands for anything; a value in quotation marks is taken letter by letter, `\\\"` and `\\\\` inside.\n\
         - Numbers: `3`, `1..2`, `100..`, `..5`, `>0`, `>=1`, `<9`, `<=8`. Durations the same, with units: `250ms` `30s` `5m` `2h`\n  \
         `1d` `1m30s`.\n\
         - A time of day is the first such moment within the log, in the zone of the screen (`--utc`: UTC).\n\
         - Texts: small letters find both cases until there is a capital one. `/re/` is a pattern. A bare word is `text~`.\n  \
         What streamed in several deltas is looked at as one text, block by block.\n\
         - Conditions about a call hold of one call together: of a message that asks for two, `tool:bash state:failed` is\n  \
         true only if the `bash` call failed. A call's events are the message that asks for it, its `tool/call`, its\n  \
         approvals and its results.\n\
         - A packed row is one row: `seq:` selects it when one of its members lies in the range, and `events` prints only\n  \
         those members. `after:` goes by its first member.\n",
    )
}
