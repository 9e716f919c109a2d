//! Parts of a text that look like secrets, known by their shape alone: they are replaced before a text is passed on.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// What a secret looks like: what stands before it, which may stay, and the secret itself. A short word after `sk-` or
/// `token=` is none.
static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let shapes = [
        r"(?<start>-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)(?<secret>(?s:.)+?)(?:-----END|\z)",
        r"(?<start>(?i:authorization:\s*\w+|\bbearer)\s+)(?<secret>[\w.+/=~-]{8,})",
        r"\b(?<start>sk-|gh[opsu]_|github_pat_|glpat-|xox[abp]-|AKIA|eyJ)(?<secret>[\w.+/=~-]{8,})",
        r#"(?<start>(?i:passwd|password|secret|token|api[_-]?key)\w*\\?["']?\s*[=:]\s*\\?["']?)(?<secret>[^\s"'\\;&,]{8,})"#,
        r"(?<start>://[^\s/:@]+:)(?<secret>[^\s/@]+)@",
        r"(?<start>)\b(?<secret>[0-9a-fA-F]{32,})\b",
    ];
    shapes.into_iter().map(|shape| Regex::new(shape).expect("the shapes are valid patterns")).collect()
});

/// A part that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    /// What stands before it and gives it away: `Bearer`, `password`; empty where it is known by itself.
    pub(crate) after: String,
    /// Its bytes.
    pub(crate) range: Range<usize>,
}

/// The parts of a text that look like secrets, in order, none inside another. Time grows with the text.
pub(crate) fn secrets(text: &str) -> Vec<Secret> {
    let of = |shape: &'static Regex| shape.captures_iter(text);
    let found = SHAPES.iter().flat_map(of).filter_map(|found| {
        let after = found.name("start")?.as_str().trim_matches(|c: char| !c.is_alphanumeric() && !"-_".contains(c));
        Some(Secret { after: after.to_owned(), range: found.name("secret")?.range() })
    });
    let mut found: Vec<Secret> = found.collect();
    found.sort_by_key(|secret| (secret.range.start, std::cmp::Reverse(secret.range.end)));
    let mut end = 0;
    found.retain(|secret| {
        let apart = secret.range.start >= end;
        end = end.max(secret.range.end);
        apart
    });
    found
}

/// The text with each of them replaced by `instead`.
pub(crate) fn without(text: &str, secrets: &[Secret], instead: &str) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for secret in secrets {
        out.push_str(text.get(at..secret.range.start).unwrap_or_default());
        out.push_str(instead);
        at = secret.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_is_replaced_and_what_gives_it_away_stays() {
        for (text, expected, after) in [
            (
                "curl -H 'Authorization: Bearer abcdefgh1234'",
                "curl -H 'Authorization: Bearer [-]'",
                "Authorization: Bearer",
            ),
            ("-H \"authorization: basic dXNlcjpwYXNz\"", "-H \"authorization: basic [-]\"", "authorization: basic"),
            ("password=hunter2hunter2 token=x", "password=[-] token=x", "password"),
            (r#"{"api_key": "abcdefgh","x":1}"#, r#"{"api_key": "[-]","x":1}"#, "api_key"),
            (r#"{"b":"{\"token\":\"abcdefgh\"}"}"#, r#"{"b":"{\"token\":\"[-]\"}"}"#, "token"),
            ("export OPENAI=sk-abcd_efgh", "export OPENAI=sk-[-]", "sk-"),
            ("git clone https://me:pw@host/x", "git clone https://me:[-]@host/x", "me"),
            ("0123456789abcdef0123456789ABCDEF.", "[-].", ""),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----[-]-----END RSA PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----",
            ),
            (
                "-----BEGIN PRIVATE KEY-----\nMII cut off",
                "-----BEGIN PRIVATE KEY-----[-]",
                "-----BEGIN PRIVATE KEY-----",
            ),
        ] {
            let found = secrets(text);
            assert_eq!(without(text, &found, "[-]"), expected);
            assert_eq!(found.iter().map(|secret| secret.after.as_str()).collect::<Vec<_>>(), [after], "{text}");
        }
    }

    #[test]
    fn words_are_no_secrets() {
        for text in
            ["task-management-tool", "sk-", "token = x", "the token: none", "Bearer x", "http://host:80/a@b", ""]
        {
            assert_eq!(secrets(text), [], "{text}");
        }
    }

    #[test]
    fn a_secret_inside_another_is_one() {
        let text = "Bearer sk-abcdefghabcdefgh token=ghp_abcdefgh123";
        let found = secrets(text);
        assert_eq!(without(text, &found, "[-]"), "Bearer [-] token=[-]");
    }
}
