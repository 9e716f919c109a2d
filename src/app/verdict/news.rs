//! Which news comes first.

use super::{Case, News, seq_text, shown};
use crate::record::header::{HeaderField, HeaderProblem};
use crate::text::number::duration;
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::triage::facts::{Call, CallState, LoaderResult, StopCause};
use crate::triage::pass;

/// Tools that only read: a call of one may be retried.
const READERS: [&str; 5] = ["read", "grep", "glob", "read_image", "list_agents"];

/// The first that is true, in the order of docs/SCREENS.md section 22.
pub(super) fn news(case: Case<'_>) -> News {
    if case.facts.container.file_bytes == 0 {
        let words = vec![get(case, "odd.empty_what")];
        return News {
            words,
            advice: Some(both(get(case, "odd.empty_harness"))),
            ..plain(case, '✗', Role::Bad, "verdict.empty_file")
        };
    }
    if !case.facts.format.known {
        return unknown_format(case);
    }
    let open = approval(case)
        .or_else(|| open_in_last_turn(case))
        .or_else(|| case.facts.last_unpaired.and_then(|at| open_call(case, at)))
        .map(|news| if case.growing.is_some() { awaited(case, news) } else { news })
        .or_else(|| waiting(case));
    if case.is_tail() {
        // Whatever else could be the news depends on what was not read.
        return open.unwrap_or_else(|| nothing_in_tail(case));
    }
    open.or_else(|| refused(case))
        .or_else(|| recovered(case))
        .or_else(|| turn_error(case))
        .or_else(|| failed(case))
        .unwrap_or_else(|| nothing_open(case))
}

fn get(case: Case<'_>, key: &str) -> String {
    case.words.get(key).to_owned()
}

/// One text as long and short form.
fn both(text: String) -> [String; 2] {
    [text.clone(), text]
}

fn plain(case: Case<'_>, glyph: char, role: Role, class: &str) -> News {
    let class = get(case, class);
    News { glyph, role, class_short: class.clone(), class, ..News::default() }
}

/// What is open in a file that grows has no result yet: nothing says that it is over.
fn awaited(case: Case<'_>, news: News) -> News {
    let waits = case.facts.stopped.cause == StopCause::OpenApproval;
    let class = get(case, if waits { "verdict.waiting_for_approval" } else { "verdict.no_result_yet" });
    let advice = if waits { "advice.no_decision_yet" } else { "advice.no_result_yet" };
    let quiet = case.words.say("time.ago", &[("time", &quiet(case))]);
    News {
        glyph: '?',
        role: Role::Accent,
        class_short: class.clone(),
        class,
        words: vec![case.words.say("follow.last_growth", &[("ago", &quiet)])],
        advice: Some(both(get(case, advice))),
        proof: String::new(),
        ..news
    }
}

/// How long the file has been quiet.
fn quiet(case: Case<'_>) -> String {
    case.growing.map(|ms| duration(i64::try_from(ms).unwrap_or(i64::MAX))).unwrap_or_default()
}

/// Nothing is open in what was read of the end; the rest may hold anything.
fn nothing_in_tail(case: Case<'_>) -> News {
    let mut news = plain(case, ' ', Role::Normal, "verdict.nothing_in_tail");
    news.words.extend(turn_words(case));
    news
}

/// A turn goes on in a file that grows: what it waits for.
fn still_growing(case: Case<'_>) -> Option<News> {
    let stopped = &case.facts.stopped;
    case.growing?;
    let key = match stopped.cause {
        StopCause::WaitingForRetry => "follow.retry_waits",
        StopCause::NoAnswer => "follow.answer_streaming",
        StopCause::BetweenSteps => "follow.between_steps",
        StopCause::OpenApproval
        | StopCause::OpenCall
        | StopCause::OpenSubCall
        | StopCause::OpenCommand
        | StopCause::TurnEnded
        | StopCause::NothingYet => return None,
    };
    let turn = case.facts.turns.iter().max_by_key(|turn| turn.start_row).map_or(0, |turn| turn.turn);
    let step = case.facts.steps.iter().max_by_key(|step| step.start_row).map_or(0, |step| step.step);
    let words = case.words.say(key, &[("turn", &turn.to_string()), ("step", &step.to_string())]);
    let ago = case.words.say("time.ago", &[("time", &quiet(case))]);
    Some(News {
        words: vec![words, ago],
        row: stopped.row,
        second: (case.facts.unpaired.is_empty() && !case.is_tail())
            .then(|| [get(case, "verdict.nothing_unpaired"), String::new()]),
        ..plain(case, '▸', Role::Accent, "verdict.still_growing")
    })
}

fn unknown_format(case: Case<'_>) -> News {
    News {
        words: vec![get(case, "odd.unknown_format_known"), get(case, "odd.unknown_format_not")],
        ..plain(case, '!', Role::Warn, "verdict.unknown_format")
    }
}

fn approval(case: Case<'_>) -> Option<News> {
    let stopped = &case.facts.stopped;
    if stopped.cause != StopCause::OpenApproval {
        return None;
    }
    let approval = case.facts.approvals.get(stopped.subject?)?;
    let asked = seq_text(approval.asked_seq);
    let call = approval.call.and_then(|at| case.facts.calls.get(at));
    let own_id = || shown(approval.call_id.as_ref());
    let id = call.map_or_else(own_id, |call| display(call.call_id.as_bytes()));
    Some(News {
        loud: true,
        tool: call.map_or_else(|| shown(approval.tool.as_ref()), |call| display(call.name.as_bytes())),
        id,
        seq: call.and_then(|call| call.call_seq.get()).or(approval.asked_seq),
        words: vec![case.words.say("verdict.asked_never_decided", &[("seq", &asked)])],
        advice: Some(both(case.words.say("advice.waiting_for_approval", &[("seq", &asked)]))),
        keys: vec!["verdict.go_there", "verdict.six_steps"],
        row: call.and_then(|call| call.call_row).or(approval.asked_row),
        ..plain(case, '?', Role::Unknown, "verdict.waiting_for_approval")
    })
}

/// The innermost thing that the last turn left open.
fn open_in_last_turn(case: Case<'_>) -> Option<News> {
    let stopped = &case.facts.stopped;
    match stopped.cause {
        StopCause::OpenCall => open_call(case, stopped.subject?),
        StopCause::OpenSubCall => {
            let call = case.facts.sub_calls.get(stopped.subject?)?;
            Some(News {
                loud: true,
                tool: display(call.name.as_bytes()),
                id: display(call.id.as_bytes()),
                seq: call.start_seq,
                words: vec![get(case, "verdict.called_no_result")],
                advice: Some(advice(case, call.name.as_bytes())),
                keys: vec!["verdict.six_steps"],
                row: call.start_row,
                ..plain(case, '?', Role::Unknown, "verdict.sub_call_open")
            })
        }
        StopCause::OpenCommand => {
            let command = case.facts.commands.get(stopped.subject?)?;
            Some(News {
                loud: true,
                tool: format!("/{}", shown(command.name.as_ref())),
                id: display(command.id.as_bytes()),
                seq: command.run_seq,
                row: command.run_row,
                ..plain(case, '?', Role::Unknown, "verdict.command_open")
            })
        }
        StopCause::OpenApproval
        | StopCause::WaitingForRetry
        | StopCause::NoAnswer
        | StopCause::BetweenSteps
        | StopCause::TurnEnded
        | StopCause::NothingYet => None,
    }
}

/// Advice for a call whose outcome is unknown, by what its tool does.
fn advice(case: Case<'_>, name: &[u8]) -> [String; 2] {
    let key = match name {
        name if READERS.iter().any(|reader| reader.as_bytes() == name) => "advice.unknown_reads",
        name if name.starts_with(b"subagent") => "advice.unknown_subagent",
        _ => "advice.unknown",
    };
    let short = if key == "advice.unknown" { "small.look_outside" } else { key };
    let short = if case.words.has(short) { short } else { key };
    [get(case, key), get(case, short)]
}

fn open_call(case: Case<'_>, at: usize) -> Option<News> {
    let call = case.facts.calls.get(at)?;
    let (asked, called) = (seq_text(call.message_seq.get()), seq_text(call.call_seq.get()));
    let line = case.last_line();
    let base = News {
        loud: true,
        tool: display(call.name.as_bytes()),
        id: display(call.call_id.as_bytes()),
        seq: call.call_seq.or(call.message_seq).get(),
        keys: vec!["verdict.go_there", "verdict.six_steps"],
        row: call.call_row.or(call.message_row),
        ..News::default()
    };
    let mut news = match call.state {
        CallState::OutcomeUnknown | CallState::Completed | CallState::Failed => {
            let key =
                if call.message_seq.is_some() { "verdict.proof_unknown" } else { "verdict.proof_unknown_unasked" };
            News {
                glyph: '?',
                role: Role::Unknown,
                class: get(case, "verdict.outcome_unknown"),
                class_short: get(case, "verdict.outcome_unknown_narrow"),
                words: vec![get(case, "verdict.called_no_result")],
                advice: Some(advice(case, call.name.as_bytes())),
                proof: case.words.say(key, &[("asked", &asked), ("called", &called), ("line", &line)]),
                ..base
            }
        }
        CallState::NotStarted => News {
            glyph: '◦',
            role: Role::Warn,
            class: get(case, "verdict.not_started"),
            class_short: get(case, "verdict.not_started"),
            words: vec![case.words.say("verdict.asked_no_call", &[("seq", &asked)])],
            advice: Some(both(get(case, "advice.not_started"))),
            proof: case.words.say("verdict.proof_not_started", &[("asked", &asked), ("line", &line)]),
            ..base
        },
    };
    if call.arguments_differ || call.stream_differs == Some(true) {
        news.keys.insert(0, "verdict.copies_differ");
    }
    Some(news)
}

fn waiting(case: Case<'_>) -> Option<News> {
    if case.growing.is_some() {
        return still_growing(case);
    }
    let stopped = &case.facts.stopped;
    let open = |glyph, role, class: &str, advice: &str| News {
        seq: stopped.seq,
        row: stopped.row,
        advice: Some(both(get(case, advice))),
        keys: vec!["verdict.six_steps"],
        ..plain(case, glyph, role, class)
    };
    match stopped.cause {
        StopCause::WaitingForRetry => {
            let retry = case.facts.retries.get(stopped.subject?)?;
            let number = |n: Option<i64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
            let delay = retry.delay_ms.map(duration).unwrap_or_default();
            let code = shown(retry.failure.code.as_ref());
            let words =
                [("n", &*number(retry.retry)), ("max", &*number(retry.max)), ("time", &*delay), ("code", &*code)];
            Some(News {
                words: vec![case.words.say("verdict.retry_waits", &words)],
                ..open('!', Role::Warn, "verdict.waiting_for_retry", "advice.waiting_for_retry")
            })
        }
        StopCause::NoAnswer => Some(open('!', Role::Warn, "verdict.no_answer", "advice.no_answer")),
        StopCause::BetweenSteps => Some(open('!', Role::Warn, "verdict.between_steps", "advice.between_steps")),
        StopCause::OpenApproval
        | StopCause::OpenCall
        | StopCause::OpenSubCall
        | StopCause::OpenCommand
        | StopCause::TurnEnded
        | StopCause::NothingYet => None,
    }
}

fn refused(case: Case<'_>) -> Option<News> {
    let header = case.facts.header.as_ref();
    let missing = HeaderProblem::Missing(HeaderField::DelegationDepth);
    if header.is_some_and(|header| header.problems.contains(&missing)) {
        let events = case.words.count("count.events", case.facts.container.events);
        return Some(News {
            words: vec![get(case, "odd.depth_missing_harness")],
            advice: Some(both(case.words.say("odd.depth_missing_sense", &[("events", &events)]))),
            ..plain(case, '!', Role::Bad, "verdict.depth_missing")
        });
    }
    if case.facts.loader.result != Some(LoaderResult::Refuses) {
        return None;
    }
    Some(News {
        words: vec![display(case.facts.loader.why.as_bytes())],
        advice: Some(both(get(case, "advice.refused"))),
        row: case.facts.loader.at,
        seq: case.facts.loader.at.and_then(|row| case.session.index.rows.get(row)?.seq()).map(|seq| seq.0),
        keys: vec!["verdict.six_steps"],
        ..plain(case, '✗', Role::Bad, "verdict.refused")
    })
}

fn recovered(case: Case<'_>) -> Option<News> {
    let call = case.facts.calls.get(pass::worst_recovered(case.facts)?)?;
    let (class, glyph, role, advice) = match call.state {
        CallState::NotStarted => ("verdict.recovered_not_started", '◦', Role::Warn, "advice.not_started_recorded"),
        CallState::OutcomeUnknown | CallState::Completed | CallState::Failed => {
            ("verdict.recovered_unknown", '?', Role::Unknown, "advice.unknown_recorded")
        }
    };
    let recorded = seq_text(call.recovery().and_then(|recovery| recovery.seq).or(call.result_seq.get()));
    Some(News {
        tool: display(call.name.as_bytes()),
        id: display(call.call_id.as_bytes()),
        seq: call.call_seq.or(call.message_seq).get(),
        advice: Some(both(get(case, advice))),
        proof: case.words.say("verdict.proof_recorded", &[("seq", &recorded)]),
        keys: vec!["verdict.go_there", "verdict.six_steps"],
        row: call.call_row.or(call.message_row),
        ..plain(case, glyph, role, class)
    })
}

fn turn_error(case: Case<'_>) -> Option<News> {
    if case.facts.stopped.cause != StopCause::TurnEnded {
        return None;
    }
    let turn = case.facts.turns.iter().max_by_key(|turn| turn.start_row)?;
    if turn.end.as_ref().is_none_or(|end| *end != "error") {
        return None;
    }
    let failure = turn.failure.as_deref();
    let code = shown(failure.and_then(|failure| failure.code.as_ref()));
    let status = failure.and_then(|failure| failure.status).map(|status| status.to_string());
    let message = shown(failure.and_then(|failure| failure.message.as_ref()));
    let parts = [code, status.unwrap_or_default(), message];
    let why: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Some(News {
        seq: turn.end_seq,
        words: vec![why.join(" ")],
        advice: Some(both(get(case, "advice.turn_error"))),
        keys: vec!["verdict.errors_key", "verdict.six_steps"],
        row: turn.end_row,
        ..plain(case, '✗', Role::Bad, "verdict.turn_error")
    })
}

fn is_policy_never(case: Case<'_>, call: &Call) -> bool {
    let approvals = call.approvals().iter().filter_map(|at| case.facts.approvals.get(*at));
    approvals.into_iter().any(|approval| {
        approval.policy.as_ref().is_some_and(|policy| *policy == "never")
            && approval.outcome.as_ref().is_some_and(|outcome| *outcome == "rejected")
    })
}

fn failed(case: Case<'_>) -> Option<News> {
    let call = case.facts.calls.get(case.facts.last_failed?)?;
    let n = case.facts.calls.iter().filter(|call| call.state == CallState::Failed).count() as u64;
    let (tool, id) = (display(call.name.as_bytes()), display(call.call_id.as_bytes()));
    let never = is_policy_never(case, call);
    let why = match &call.error_code {
        _ if never => get(case, "verdict.rejected_policy_never"),
        Some(code) => display(code.as_bytes()),
        None => String::new(),
    };
    let seq = seq_text(call.result_seq.get());
    let last = case.words.say("verdict.last_failed", &[("tool", &tool), ("id", &id), ("seq", &seq), ("why", &why)]);
    let class = case.words.count("verdict.calls_failed", n);
    Some(News {
        glyph: '✗',
        role: Role::Bad,
        class_short: class.clone(),
        class,
        words: vec![last.trim_end().to_owned()],
        advice: Some(both(get(case, if never { "advice.policy_never" } else { "advice.calls_failed" }))),
        keys: vec!["verdict.errors_key", "verdict.nothing_for_u", "verdict.six_steps"],
        row: call.call_row.or(call.result_row),
        ..News::default()
    })
}

fn nothing_open(case: Case<'_>) -> News {
    let facts = case.facts;
    let mut news = plain(case, '✓', Role::Ok, "verdict.nothing_open");
    if facts.container.events == 0 {
        news.words.push(get(case, "verdict.never_recorded"));
        return news;
    }
    news.words.extend(turn_words(case));
    match facts.calls.len() as u64 {
        0 => news.words.push(get(case, "verdict.no_calls")),
        n => news.words.push(case.words.count("verdict.all_calls_completed", n)),
    }
    news
}

/// How the last turn ended, if it did.
fn turn_words(case: Case<'_>) -> Option<String> {
    let turn = case.facts.turns.iter().max_by_key(|turn| turn.start_row)?;
    let (number, seq) = (turn.turn.to_string(), seq_text(turn.end_seq));
    let kind = display(turn.end.as_ref()?.as_bytes());
    Some(case.words.say("verdict.turn_ended", &[("turn", &number), ("kind", &kind), ("seq", &seq)]))
}
