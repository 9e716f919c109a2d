//! Markdown, plainly styled: roles for headings, quotes, code and emphasis. The text stays as it is, signs included.

use crate::text::role::{Role, Span};
use crate::triage::doc::DocLine;

/// Styles lines of a text that may be Markdown. Marks of hidden characters keep their style.
pub(super) fn style(lines: &mut [DocLine]) {
    let mut fence: Option<Fence> = None;
    for line in lines {
        let text: String = line.spans.iter().map(|span| span.text.as_str()).collect();
        let here = Fence::of(&text);
        let role = match (&fence, here) {
            (Some(open), Some(end)) if end.closes(open) => {
                fence = None;
                Some(Role::Dim)
            }
            (Some(_), _) => Some(Role::Surface),
            (None, Some(start)) => {
                fence = Some(start);
                Some(Role::Dim)
            }
            (None, None) => of_line(&text),
        };
        match role {
            Some(role) => all(line, role),
            None => within(line),
        }
    }
}

/// A row of backticks or tildes that begins or ends code.
struct Fence {
    sign: char,
    length: usize,
    /// Nothing follows it: it may end code.
    bare: bool,
}

impl Fence {
    fn of(text: &str) -> Option<Fence> {
        let trimmed = text.trim_start();
        let sign = trimmed.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let rest = trimmed.trim_start_matches(sign);
        let length = trimmed.len() - rest.len();
        // A backtick later on the line: that is code within a line.
        let fits = length >= 3 && !(sign == '`' && rest.contains('`'));
        fits.then(|| Fence { sign, length, bare: rest.trim().is_empty() })
    }

    fn closes(&self, open: &Fence) -> bool {
        self.bare && self.sign == open.sign && self.length >= open.length
    }
}

/// The role of a whole line.
fn of_line(text: &str) -> Option<Role> {
    let text = text.trim_start();
    let hashes = text.len() - text.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && text[hashes..].starts_with(' ') {
        return Some(Role::Strong);
    }
    let is_rule = |sign| text.len() >= 3 && text.trim_end().chars().all(|char| char == sign || char == ' ');
    (text.starts_with("> ") || is_rule('-') || is_rule('*') || is_rule('_')).then_some(Role::Dim)
}

fn all(line: &mut DocLine, role: Role) {
    for span in line.spans.iter_mut().filter(|span| !span.reversed) {
        span.role = role;
    }
}

/// Signs of lists, code and emphasis within a line.
fn within(line: &mut DocLine) {
    let mut spans = Vec::with_capacity(line.spans.len());
    for (at, span) in std::mem::take(&mut line.spans).into_iter().enumerate() {
        if span.reversed {
            spans.push(span);
            continue;
        }
        let text = span.text.as_str();
        let bullet = if at == 0 { bullet(text) } else { 0 };
        push(&mut spans, &text[..bullet], Role::Accent);
        pieces(&text[bullet..], span.role, &mut spans);
    }
    line.spans = spans;
}

fn push(out: &mut Vec<Span>, text: &str, role: Role) {
    if !text.is_empty() {
        out.push(Span::new(text, role));
    }
}

/// Bytes of the sign that begins an item of a list, with the blanks before it.
fn bullet(text: &str) -> usize {
    let rest = text.trim_start_matches(' ');
    let start = text.len() - rest.len();
    if ["- ", "* ", "+ "].iter().any(|sign| rest.starts_with(sign)) {
        return start + 1;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = (1..=4).contains(&digits) && (rest[digits..].starts_with(". ") || rest[digits..].starts_with(") "));
    if is_number { start + digits + 1 } else { 0 }
}

/// Code and strong words; what is not closed on the line is plain.
fn pieces(mut text: &str, role: Role, out: &mut Vec<Span>) {
    while let Some((at, sign)) = next_sign(text) {
        let after = &text[at + sign.len()..];
        let Some(length) = after.find(sign).filter(|length| *length > 0) else {
            push(out, &text[..at + sign.len()], role);
            text = after;
            continue;
        };
        let end = at + sign.len() + length + sign.len();
        push(out, &text[..at], role);
        push(out, &text[at..end], if sign == "`" { Role::Surface } else { Role::Strong });
        text = &text[end..];
    }
    push(out, text, role);
}

fn next_sign(text: &str) -> Option<(usize, &'static str)> {
    ["`", "**", "__"].into_iter().filter_map(|sign| Some((text.find(sign)?, sign))).min_by_key(|(at, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styled(texts: &[&str]) -> Vec<Vec<(String, Role)>> {
        let mut lines: Vec<DocLine> = texts.iter().map(|text| DocLine::of(*text, Role::Normal)).collect();
        style(&mut lines);
        let spans = |line: DocLine| line.spans.into_iter().map(|span| (span.text, span.role)).collect();
        lines.into_iter().map(spans).collect()
    }

    fn one(text: &str, role: Role) -> Vec<(String, Role)> {
        vec![(text.to_owned(), role)]
    }

    #[test]
    fn lines_have_roles_and_code_is_left_alone() {
        let text = ["# Plan", "#no heading", "> said", "---", "```rust", "# **x**", "```", "done"];
        let roles: Vec<Role> = styled(&text).into_iter().map(|spans| spans[0].1).collect();
        assert_eq!(
            roles,
            [Role::Strong, Role::Normal, Role::Dim, Role::Dim, Role::Dim, Role::Surface, Role::Dim, Role::Normal]
        );
    }

    #[test]
    fn a_line_keeps_every_sign_it_has() {
        for text in ["- a `b` **c** d", "2. x", "`open", "**", "a ** b", "``", "    * deep", "日本 **太字** `码`"]
        {
            let together: String = styled(&[text])[0].iter().map(|(text, _)| text.as_str()).collect();
            assert_eq!(together, text);
        }
        let seen = &styled(&["- a `b` **c**"])[0];
        let expected = [
            ("-", Role::Accent),
            (" a ", Role::Normal),
            ("`b`", Role::Surface),
            (" ", Role::Normal),
            ("**c**", Role::Strong),
        ];
        assert_eq!(*seen, expected.map(|(text, role)| (text.to_owned(), role)));
        assert_eq!(styled(&["`open"])[0].iter().map(|(_, role)| *role).collect::<Vec<_>>(), [Role::Normal; 2]);
        assert_eq!(styled(&["plain"]), [one("plain", Role::Normal)]);
    }
}
