//! Stand-in for the text layer's `wire`.

/// Text as the log holds it: bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct WireText(Box<[u8]>);

impl WireText {
    /// Takes bytes.
    pub fn from_bytes(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(bytes.into())
    }
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
    /// No bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// For the report.
    #[must_use]
    pub fn to_report(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl From<&str> for WireText {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}
