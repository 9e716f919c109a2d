//! Question 1: what is this?

use super::page::{Mark, Page};
use super::said::{clean, shown, source};
use crate::record::header::{Header, HeaderField, HeaderProblem};
use crate::text::width::prefixed_id;
use crate::triage::facts::FormatSource;

/// Where the log comes from, which preset, how deep, which version; and what is wrong with the header.
pub(super) fn what_is_this(page: &mut Page<'_>) {
    let (words, facts) = (page.words, page.facts);
    let Some(header) = &facts.header else {
        let text = words.get("report_text.no_header");
        page.answer(1, Mark::Wrong, text);
        format(page);
        page.blank();
        return;
    };
    let cwd = header.cwd.as_ref().map_or_else(|| words.get("header.no_cwd").to_owned(), shown);
    let preset = match &header.agent_preset {
        Some(preset) => words.say("header.preset", &[("preset", &shown(preset))]),
        None => words.get("pass.preset_missing").to_owned(),
    };
    let is_judged = |problem: &HeaderProblem| !matches!(problem, HeaderProblem::UnknownVersion(_));
    let mark = if header.problems.iter().any(is_judged) {
        Mark::Wrong
    } else if !facts.format.known || facts.format.source != FormatSource::Header {
        Mark::Look
    } else {
        Mark::Fine
    };
    page.answer(1, mark, &std::format!("{cwd}   {preset}   {}", depth_in_short(page, header)));
    format(page);
    identity(page, header);
    problems(page, header);
    page.blank();
}

fn depth_in_short(page: &Page<'_>, header: &Header) -> String {
    let words = page.words;
    let is_missing = HeaderProblem::Missing(HeaderField::DelegationDepth);
    match header.delegation_depth {
        Some(0) => words.get("pass.depth_top").to_owned(),
        Some(depth) => words.say("header.depth", &[("depth", &depth.to_string())]),
        None if header.problems.contains(&is_missing) => words.get("header.depth_missing").to_owned(),
        None => words.get("header.depth_invalid").to_owned(),
    }
}

/// Version and source, and what is unusual about them.
fn format(page: &mut Page<'_>) {
    let (words, format) = (page.words, page.facts.format);
    let key = match format.source {
        FormatSource::Header | FormatSource::FileName => "pass.format_from",
        FormatSource::Guessed => "pass.format_guessed",
    };
    let version = format.version.to_string();
    let values =
        [("version", version.as_str()), ("source", source(format.source, words)), ("encoding", page.encoding())];
    let mut text = words.say(key, &values);
    let id = page.facts.header.as_ref().and_then(|header| header.id.as_ref());
    if let Some(id) = id.filter(|_| page.brief) {
        text = std::format!("{text}   {}", prefixed_id(&shown(id)));
    }
    page.proof(&text);
    if !format.known {
        page.proof(&words.say("report_text.unknown_format", &[("version", &version)]));
    }
    match format.file_name_version {
        Some(named) if named != format.version => {
            page.proof(&words.say("report_text.name_differs", &[("version", &named.to_string())]));
        }
        _ => {}
    }
}

fn identity(page: &mut Page<'_>, header: &Header) {
    let words = page.words;
    let id = match &header.id {
        Some(id) => words.say("report_text.session", &[("id", &shown(id))]),
        None => words.get("report_text.session_unknown").to_owned(),
    };
    let created = header.created_at.map(|at| words.say("report_text.created", &[("time", &page.zone.date_time(at))]));
    // On a screen the header stands above, and in full on the page of the state.
    if !page.brief {
        page.proof(&[Some(id), created].into_iter().flatten().collect::<Vec<_>>().join("   "));
        if let Some(title) = &page.facts.title {
            page.proof(&words.say("report_text.named", &[("title", &shown(title))]));
        }
    }
    match (header.delegation_depth, &header.parent_session) {
        (Some(depth), parent) if depth > 0 => {
            let key = if parent.is_some() { "report_text.depth_parent" } else { "report_text.depth_no_parent" };
            let id = parent.as_ref().map(shown).unwrap_or_default();
            page.proof(&words.say(key, &[("depth", &depth.to_string()), ("id", &id)]));
        }
        (_, Some(parent)) => page.proof(&words.say("report_text.parent", &[("id", &shown(parent))])),
        (_, None) => {}
    }
    let inherited = page.facts.inherited.events;
    if inherited > 0 {
        page.proof(&words.count("report_text.inherited", inherited));
    }
}

fn problems(page: &mut Page<'_>, header: &Header) {
    page.proofs(&header.problems, |page, problem| {
        let key = match problem {
            HeaderProblem::UnknownVersion(_) => "report_text.problem",
            HeaderProblem::Missing(_)
            | HeaderProblem::Invalid(_)
            | HeaderProblem::NotInVersion(_)
            | HeaderProblem::UnknownKey(_)
            | HeaderProblem::RetiredKey(_) => "report_text.problem_rejects",
        };
        page.words.say(key, &[("problem", &clean(&problem.to_string()))])
    });
    page.proofs(&header.unknown_keys, |page, key| page.words.say("report_text.unknown_key", &[("key", &shown(key))]));
}
