//! A sentence that is worked out before its language is known.

use super::Words;

/// Clauses, each the key of a template and what fills its holes.
///
/// Judgements hold it; whoever draws or prints says it in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence(Vec<Clause>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Clause {
    key: &'static str,
    values: Vec<(&'static str, String)>,
}

impl Sentence {
    /// A sentence of one clause.
    pub(crate) fn new<const N: usize>(key: &'static str, values: [(&'static str, String); N]) -> Sentence {
        Sentence(vec![Clause { key, values: values.into() }])
    }

    /// Adds a clause.
    #[must_use]
    pub(crate) fn then<const N: usize>(mut self, key: &'static str, values: [(&'static str, String); N]) -> Sentence {
        self.0.push(Clause { key, values: values.into() });
        self
    }

    /// The sentence in a language.
    #[must_use]
    pub fn say(&self, words: &Words) -> String {
        let clause = |clause: &Clause| {
            let values: Vec<(&str, &str)> = clause.values.iter().map(|(name, value)| (*name, value.as_str())).collect();
            words.say(clause.key, &values)
        };
        self.0.iter().map(clause).collect::<Vec<_>>().join("; ")
    }

    /// The sentence as reports for programs hold it: in English.
    #[must_use]
    pub fn for_programs(&self) -> String {
        self.say(&Words::english())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_said_one_after_the_other() {
        let sentence = Sentence::new("time.ago", [("time", "3m".to_owned())]).then("missing.none", []);
        assert_eq!(sentence.say(&Words::english()), "3m ago; none");
        assert_eq!(sentence.for_programs(), "3m ago; none");
    }
}
