//! A text for a program of the user: editor, pager, a command that was typed. The program has the terminal until it
//! ends, and the screen comes back whatever comes of it.

use std::io;

use super::child::{self, Away, End};
use super::private::PrivateFile;
use super::programs::{Missing, Program, typed};
use super::terminal::Screen;
use super::{input, terminal};
use crate::app::effect::{Program as Wanted, TextKind};
use crate::app::message::Message;
use crate::app::model::Settings;
use crate::text::locale::Words;
use crate::text::sanitize::{Limits, display, lines};

/// Status of a shell that does not find a command.
const NOT_FOUND: i32 = 127;

/// Gives a text to a program. What became of it is said in a sentence where there is something to say.
///
/// `Err` only where the terminal fails.
pub(crate) fn hand_over(
    to: &Wanted,
    bytes: &[u8],
    kind: TextKind,
    settings: &Settings,
    screen: &mut Screen,
) -> io::Result<Option<Message>> {
    let words = &*settings.words;
    let (name, ended) = match to {
        Wanted::Editor => {
            let editor = match Program::editor(settings.programs.editor.as_deref()) {
                Ok(editor) => editor,
                Err(why) => return Ok(Some(missing(&why, "message.no_editor", words))),
            };
            let ended = away(screen, || {
                let file = PrivateFile::write(&format!("trajview.{}", kind.ending()), bytes)?;
                child::run(&mut editor.command(Some(file.path())), None)
            })?;
            (editor.name().to_owned(), ended)
        }
        Wanted::Pager => {
            let pager = match Program::pager(settings.programs.pager.as_deref()) {
                Ok(pager) => pager,
                Err(why) => return Ok(Some(missing(&why, "message.no_pager", words))),
            };
            let text = printable(bytes);
            let ended = away(screen, || child::run(&mut pager.command(None), Some(text.as_bytes())))?;
            (pager.name().to_owned(), ended)
        }
        Wanted::Command(line) => {
            let ended = away(screen, || {
                let ended = child::run(&mut typed(line), Some(bytes));
                let told = ended.as_ref().map_or_else(ToString::to_string, |end| tell(*end, line, words));
                // What it printed is to be read before the screen covers it. A terminal that has gone ends the loop.
                let _ = child::pause(&format!("[{told}] {}", words.get("handover.any_key")));
                ended
            })?;
            (line.clone(), ended)
        }
    };
    Ok(match ended {
        Ok(End::Status(0)) if *to == Wanted::Editor => {
            Some(Message::Said { text: words.get("message.edited").to_owned() })
        }
        Ok(End::Status(0)) if *to == Wanted::Pager => None,
        Ok(End::Status(0)) => Some(Message::Said { text: tell(End::Status(0), &name, words) }),
        Ok(end) => Some(Message::Failed { what: tell(end, &name, words) }),
        Err(error) => {
            let values = [("editor", &*shown(&name)), ("why", &*error.to_string())];
            Some(Message::Failed { what: words.say("message.cannot_edit", &values) })
        }
    })
}

/// Leaves the terminal to `during`, and takes it again.
fn away<T>(screen: &mut Screen, during: impl FnOnce() -> T) -> io::Result<T> {
    input::resting(|| {
        let _away = Away::begin();
        terminal::restore();
        let done = during();
        screen.retake().map(|()| done)
    })
}

fn missing(why: &Missing, unnamed: &str, words: &Words) -> Message {
    let what = match why {
        Missing::Unnamed => words.get(unnamed).to_owned(),
        Missing::Named(name) => words.say("handover.missing", &[("command", &shown(name))]),
    };
    Message::Failed { what }
}

/// How it ended, in a sentence.
fn tell(end: End, name: &str, words: &Words) -> String {
    let command = shown(name);
    match end {
        End::Status(0) => words.say("handover.done", &[("command", &command)]),
        End::Status(NOT_FOUND) => words.say("handover.missing", &[("command", &command)]),
        End::Status(status) => words.say("handover.status", &[("command", &command), ("status", &status.to_string())]),
        End::Signal(signal) => words.say("handover.signal", &[("command", &command), ("signal", &signal.to_string())]),
    }
}

/// What a person typed or set may hold anything.
fn shown(name: &str) -> String {
    display(name.as_bytes())
}

/// The text in lines that hold no control character: a pager may pass on what it is given.
fn printable(bytes: &[u8]) -> String {
    let limits = Limits { max_bytes: usize::MAX, max_lines: usize::MAX, max_columns_per_line: usize::MAX };
    let mut text = String::with_capacity(bytes.len());
    for line in lines(bytes, limits).lines {
        text.extend(line.into_iter().map(|piece| piece.text));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_gets_nothing_that_a_terminal_obeys() {
        assert_eq!(printable(b"a\nb\x1b[31mc\x07\n"), "a\nb\\u001b[31mc\\u0007\n");
    }
}
