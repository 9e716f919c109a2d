//! What the arguments of a call say, from the stored text of its record.

use crate::record::json::Value;
use crate::text::locale::Words;
use crate::triage::facts::Call;
use crate::triage::peek::Peek;
use crate::triage::what::{Known, first_line, known};

/// Bytes of the argument text that are looked at: a first line fits many times.
const MOST_BYTES: usize = 64 << 10;

/// Columns of the first line.
const MOST_COLUMNS: usize = 160;

/// What is told of the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    /// What the call is about, a command with `$` before it; empty where the arguments are.
    pub(crate) first_line: String,
    /// Whether the text is JSON; `None` where not all of it was looked at.
    pub(crate) is_json: Option<bool>,
}

/// Looks into a record: the `tool/call`, or the message that asked for the call. `None` where the record does not
/// hold the arguments as text.
pub(crate) fn told(line: &[u8], call: &Call, words: &Words) -> Option<Told> {
    let data = Peek::line(line)?.get("data")?;
    let arguments = if call.call_row.is_some() {
        data.get("arguments")
    } else {
        let content = data.path(&["message", "content"])?;
        let block =
            content.items().into_iter().filter(|block| block.says("type", "tool-call")).nth(call.block as usize);
        block?.get("arguments")
    };
    let arguments = arguments?;
    let text = arguments.text(MOST_BYTES)?;
    let whole = arguments.is_whole() && text.len() < MOST_BYTES;
    let name = call.name.as_bytes();
    let is_command = matches!(Peek::line(&text).map(|text| known(name, text)), Some(Known::Command(_)));
    let about = first_line(name, &text, whole, words, MOST_COLUMNS);
    Some(Told {
        first_line: if is_command { format!("$ {about}") } else { about },
        // The harness runs an empty text as an empty object.
        is_json: whole.then(|| text.is_empty() || Value::parse(&text).is_ok()),
    })
}
