//! What keeps a text from being JSON, with enough around it to say so in a sentence.

use std::fmt;
use std::ops::Range;

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// Byte at which reading stopped: the first one that cannot be right, or the length of the text where it just ends.
    pub offset: usize,
    /// What is wrong there.
    pub fault: Fault,
    /// The innermost array or object that is open there; `None` outside of any.
    pub inside: Option<Box<Open>>,
}

/// What is wrong at the offset of a [`JsonError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The text is empty or white space alone.
    NoValue,
    /// The text ends where something has to follow.
    Ends(Expected),
    /// The text ends inside a string.
    EndsInString {
        /// Byte of its opening quote.
        open: usize,
    },
    /// The text ends inside a number, such as `-` or `1.`.
    EndsInNumber,
    /// The text ends inside `true`, `false` or `null`.
    EndsInWord,
    /// A byte stands where something else has to.
    Unexpected {
        /// The byte.
        byte: u8,
        /// What could stand there.
        expected: Expected,
    },
    /// A comma, and then the end of the array or object.
    TrailingComma,
    /// A control character inside a string that is not escaped.
    Control {
        /// The byte, below 0x20.
        byte: u8,
    },
    /// A backslash with a byte after it that makes no escape.
    Escape {
        /// The byte.
        byte: u8,
    },
    /// `\u` without four hexadecimal digits.
    UnicodeEscape,
    /// A number with a leading zero, without digits after the point or the exponent, and the like.
    Number,
    /// A word other than `true`, `false` and `null`.
    Word,
    /// Something stands after the value.
    AfterValue,
}

/// What could stand at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A value.
    Value,
    /// A value or the end of the array.
    ValueOrEnd,
    /// A key in quotes.
    Key,
    /// A key in quotes or the end of the object.
    KeyOrEnd,
    /// The colon after a key.
    Colon,
    /// A comma or the end of the array.
    CommaOrBracket,
    /// A comma or the end of the object.
    CommaOrBrace,
}

/// An array or object that is not closed where reading stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Byte of its bracket or brace.
    pub offset: usize,
    /// An array; else an object.
    pub is_array: bool,
    /// The key it stands under in the object around it, without quotes, still escaped; `None` in an array and at the top.
    pub key: Option<Range<usize>>,
    /// The last key read in it (objects only), without quotes, still escaped.
    pub last_key: Option<Range<usize>>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue => f.write_str("there is no value"),
            Self::Ends(expected) => write!(f, "the text ends where {expected} has to follow"),
            Self::EndsInString { .. } => f.write_str("the text ends inside a string"),
            Self::EndsInNumber => f.write_str("the text ends inside a number"),
            Self::EndsInWord => f.write_str("the text ends inside a word"),
            Self::Unexpected { byte, expected } => {
                write!(f, "{expected} has to follow, not {}", Printable(*byte))
            }
            Self::TrailingComma => f.write_str("a comma before the end"),
            Self::Control { byte } => {
                write!(f, "a raw control character 0x{byte:02x} inside a string")
            }
            Self::Escape { byte } => write!(f, "no escape is written \\{}", Printable(*byte)),
            Self::UnicodeEscape => f.write_str("\\u needs four hexadecimal digits"),
            Self::Number => f.write_str("not a number as JSON writes it"),
            Self::Word => f.write_str("not one of the words true, false, null"),
            Self::AfterValue => f.write_str("something follows after the value"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => "a value",
            Self::ValueOrEnd => "a value or ]",
            Self::Key => "a key in quotes",
            Self::KeyOrEnd => "a key in quotes or }",
            Self::Colon => "a colon",
            Self::CommaOrBracket => "a comma or ]",
            Self::CommaOrBrace => "a comma or }",
        })
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.fault)
    }
}

/// A byte for a message: itself where it is printable ASCII, else in hexadecimal.
struct Printable(u8);

impl fmt::Display for Printable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_ascii_graphic() { write!(f, "{}", char::from(self.0)) } else { write!(f, "0x{:02x}", self.0) }
    }
}
