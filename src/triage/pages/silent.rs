//! The silent model: which attempts came to nothing, how they were retried, what was spent (docs/SCREENS.md section 10).

use std::collections::BTreeMap;

use foldhash::HashMap;

use super::draft::{Cell, Draft, seqs};
use crate::record::event::{Failure, Usage};
use crate::session::row::{Flags, Row, RowIx};
use crate::text::number::{duration, percent};
use crate::text::role::Role;
use crate::text::sanitize::one_line;
use crate::text::width::short_call_id;
use crate::triage::clock::{Part, TimeTable};
use crate::triage::facts::{Attempt, Retry, Turn};
use crate::triage::pass::said::{number, shown, shown_or};
use crate::triage::peek::Peek;
use crate::triage::tokens::{self, TokenSum};

/// Rows of an attempt in which its first text is looked for.
const MOST_LOOKED: u32 = 2_000;

/// Steps with trouble that are listed.
const MOST_TROUBLED: usize = 500;

/// Steps whose tokens are listed one by one.
const MOST_STEPS: usize = 2_000;

pub(super) fn fill(draft: &mut Draft<'_, '_>) {
    summary(draft);
    finishes(draft);
    draft.blank();
    let facts = draft.facts;
    let groups = facts.attempts.chunk_by(|one, other| (one.turn, one.step) == (other.turn, other.step));
    let troubled: Vec<&[Attempt]> = groups.filter(|group| group.iter().any(is_trouble)).collect();
    let quiet = troubled.is_empty();
    // The codes that one chain retries hold for the steps without a chain too.
    let mut listed = None;
    for group in troubled.iter().take(MOST_TROUBLED) {
        step(draft, group, &mut listed);
        draft.blank();
    }
    draft.more(troubled.len().saturating_sub(MOST_TROUBLED));
    if quiet && !facts.attempts.is_empty() {
        draft.words("silent.all_answered", Role::Ok);
        draft.blank();
    }
    if !quiet {
        strip(draft);
        draft.words("silent.not_in_log", Role::Dim);
        draft.blank();
    }
    stream_only(draft);
    token_rows(draft);
}

/// The last steps with an attempt that came to nothing, and the calls of no message; nothing for none.
pub(super) fn brief(draft: &mut Draft<'_, '_>, most: usize) {
    let facts = draft.facts;
    let groups = facts.attempts.chunk_by(|one, other| (one.turn, one.step) == (other.turn, other.step));
    let troubled: Vec<&[Attempt]> = groups.filter(|group| group.iter().any(is_trouble)).collect();
    let before = troubled.len().saturating_sub(most);
    if !troubled.is_empty() {
        draft.words("silent.title", Role::Strong);
        if before > 0 {
            let text = draft.words.count("report_text.before", before as u64);
            draft.line(text, Role::Dim, None);
        }
    }
    let mut listed = None;
    for group in troubled.iter().skip(before) {
        step(draft, group, &mut listed);
        draft.blank();
    }
    stream_only(draft);
}

/// Whether something is to be told of an attempt beyond its answer.
fn is_trouble(attempt: &Attempt) -> bool {
    let finish = attempt.finish.as_ref().and_then(|finish| finish.kind.as_ref());
    let is_usual = finish.is_none_or(|kind| *kind == "stop" || *kind == "tool-calls");
    attempt.message_row.is_none()
        || attempt.retry.is_some()
        || attempt.is_retry.is_some()
        || attempt.interrupted
        || attempt.usage_differs()
        || !is_usual
}

fn summary(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    let time = TimeTable::of(draft.session).session;
    let waited = time.of(Part::Retry);
    let mut parts = Vec::new();
    if waited > 0 {
        let share = percent(waited.unsigned_abs(), time.sum().unsigned_abs());
        let values = [("time", &*duration(waited)), ("share", &share), ("all", &duration(time.sum()))];
        parts.push(draft.say("silent.waited", &values));
    }
    if let Some(head) = facts.headers.last() {
        let missing = draft.words.get("missing.column");
        let (provider, model) = (shown_or(head.provider.as_ref(), missing), shown_or(head.model.as_ref(), missing));
        parts.push(draft.say("silent.route", &[("provider", &provider), ("model", &model)]));
    }
    if facts.attempts.is_empty() {
        draft.words("silent.no_attempts", Role::Normal);
    }
    let target = facts.retries.first().map(|retry| retry.row);
    if !parts.is_empty() {
        draft.line(parts.join("   "), Role::Normal, target);
    }
}

/// How the attempts finished, each reason with its number.
fn finishes(draft: &mut Draft<'_, '_>) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for attempt in &draft.facts.attempts {
        let kind = attempt.finish.as_ref().map(|finish| shown_or(finish.kind.as_ref(), "?"));
        let kind = kind.unwrap_or_else(|| draft.words.get("silent.no_finish").to_owned());
        *counts.entry(kind).or_default() += 1;
    }
    if counts.is_empty() {
        return;
    }
    let listed: Vec<String> = counts.iter().map(|(kind, n)| format!("{kind} {}", draft.words.number(*n))).collect();
    let text = draft.say("silent.finishes", &[("list", &listed.join("   "))]);
    draft.line(text, Role::Normal, None);
}

/// All attempts of one step.
fn step(draft: &mut Draft<'_, '_>, group: &[Attempt], listed: &mut Option<Vec<String>>) {
    let facts = draft.facts;
    let Some(first) = group.first() else { return };
    let (turn, place) = (number(first.turn.get()), number(first.step.get()));
    let mut head = draft.say("silent.step", &[("turn", &turn), ("step", &place)]);
    let retry = group.iter().find_map(|attempt| facts.retries.get(attempt.retry? as usize));
    let own = if let Some(retry) = retry {
        let id: String = shown(&retry.id).chars().take(8).collect();
        let most = retry.max.map_or_else(String::new, |max| draft.say("silent.up_to", &[("max", &max.to_string())]));
        head = format!("{head}   {}{most}", draft.say("silent.chain", &[("id", &id)]));
        policy(draft, retry)
    } else {
        head = format!("{head}   {}", draft.words.get("silent.no_chain"));
        None
    };
    *listed = own.clone().or(listed.take());
    if let Some(codes) = own.filter(|codes| !codes.is_empty()) {
        head = format!("{head}   {}", draft.say("silent.retried", &[("codes", &codes.join(" "))]));
    }
    draft.line(head, Role::Strong, Some(first.first_row));
    let widths = Widths::of(draft.width);
    let heads = ["attempt", "seq", "first", "streamed", "finish", "then"];
    let words = draft.words;
    let [attempt, seq, wait, streamed, finish, then] = heads.map(|head| words.get(head_key(head)).to_owned());
    draft.row(&widths.cells([attempt, seq, wait, streamed, finish, then], [Role::Dim; 6]), None);
    for (at, attempt) in group.iter().enumerate() {
        one(draft, &widths, at + 1, attempt, listed.as_deref());
    }
    let turn = draft.turn(first.turn.get());
    if let (Some(turn), true) = (turn, group.last().is_some_and(|last| last.message_row.is_none())) {
        turn_end(draft, turn);
    }
}

fn head_key(head: &str) -> &'static str {
    match head {
        "attempt" => "silent.head_attempt",
        "seq" => "silent.head_seq",
        "first" => "silent.head_first",
        "streamed" => "silent.head_streamed",
        "finish" => "silent.head_finish",
        _ => "silent.head_then",
    }
}

/// Columns of the table of attempts.
struct Widths {
    place: usize,
    seqs: usize,
    wait: usize,
    streamed: usize,
    finish: usize,
    then: usize,
    is_narrow: bool,
}

/// Columns from which there is room for whole sentences.
const ROOMY: usize = 110;

impl Widths {
    fn of(width: usize) -> Widths {
        let is_narrow = width < ROOMY;
        let (place, seqs, wait, finish, then) = if is_narrow { (2, 9, 7, 17, 20) } else { (4, 11, 8, 26, 41) };
        // Five blanks stand between the columns.
        let streamed = width.saturating_sub(place + seqs + wait + finish + then + 5).max(8);
        Widths { place, seqs, wait, streamed, finish, then, is_narrow }
    }

    fn cells(&self, texts: [String; 6], roles: [Role; 6]) -> Vec<Cell> {
        let [attempt, seq, wait, streamed, finish, then] = texts;
        let [one, two, three, four, five, six] = roles;
        vec![
            Cell::right(attempt, self.place, one),
            Cell::left(seq, self.seqs, two),
            Cell::right(wait, self.wait, three),
            Cell::left(streamed, self.streamed, four),
            Cell::left(finish, self.finish, five),
            Cell::left(then, self.then, six),
        ]
    }
}

fn one(draft: &mut Draft<'_, '_>, widths: &Widths, place: usize, attempt: &Attempt, listed: Option<&[String]>) {
    let wait = attempt.first_wait_ms.get().map_or_else(|| "-".to_owned(), duration);
    let streamed = streamed(draft, attempt);
    let (finish, role) = finish(draft, attempt);
    let (then, then_role) = then(draft, widths, attempt, listed);
    let texts =
        [place.to_string(), seqs(attempt.first_seq.get(), attempt.last_seq.get()), wait, streamed, finish, then];
    let roles = [Role::Normal, Role::Normal, Role::Normal, Role::Dim, role, then_role];
    draft.row(&widths.cells(texts, roles), Some(attempt.first_row));
    if let Some((chunk, message)) = attempt.usage.get().zip(attempt.message_usage()).filter(|_| attempt.usage_differs())
    {
        let (chunk, message) = (counts(draft, &chunk), counts(draft, &message));
        let seq = number(attempt.message_seq.get());
        let values = [("chunk", &*chunk), ("message", &*message), ("seq", &*seq)];
        let text = draft.say("silent.usage_differs", &values);
        draft.line(format!("       {text}"), Role::Warn, attempt.message_row);
    }
}

/// What had come of an attempt: of one without an answer its first words.
fn streamed(draft: &mut Draft<'_, '_>, attempt: &Attempt) -> String {
    let words = draft.words;
    let chars = u64::from(attempt.text_chars) + u64::from(attempt.reasoning_chars);
    let mut parts = Vec::new();
    if chars > 0 {
        parts.push(words.count("count.chars", chars));
    }
    if attempt.calls > 0 {
        parts.push(words.count("count.calls", u64::from(attempt.calls)));
    }
    if parts.is_empty() {
        return words.get("silent.nothing").to_owned();
    }
    let quote = if attempt.message_row.is_none() { quote(draft, attempt) } else { None };
    match quote {
        Some(text) => format!("{} \"{text}\"", parts.join(", ")),
        None => parts.join(", "),
    }
}

/// The first text that an attempt streamed.
fn quote(draft: &mut Draft<'_, '_>, attempt: &Attempt) -> Option<String> {
    let last = attempt.last_row.0.min(attempt.first_row.0.saturating_add(MOST_LOOKED));
    let has_text = |at: &u32| {
        let row = draft.index_row(RowIx(*at));
        row.is_some_and(|row| row.flags.has(Flags::TEXT) || row.flags.has(Flags::REASONING))
    };
    // Of a stream that lies in one record that record.
    let row = (attempt.first_row.0..=last).find(has_text).unwrap_or(attempt.first_row.0);
    let line = draft.text(RowIx(row))?;
    let data = Peek::line(&line)?.get("data")?;
    let mut text = Vec::new();
    let mut add = |record: Peek<'_>| {
        let pieces = record.get("texts").map_or_else(|| record.get("text").into_iter().collect(), Peek::items);
        for piece in pieces {
            text.extend_from_slice(&piece.text(400).unwrap_or_default());
            if text.len() > 400 {
                break;
            }
        }
    };
    match (data.get("stream"), data.get("chunk")) {
        (Some(stream), _) => {
            stream.items().into_iter().take(50).for_each(|record| add(record.get("chunk").unwrap_or(record)));
        }
        (None, Some(chunk)) => add(chunk),
        (None, None) => add(data),
    }
    (!text.is_empty()).then(|| one_line(&text, 200))
}

fn finish(draft: &Draft<'_, '_>, attempt: &Attempt) -> (String, Role) {
    let Some(finish) = attempt.finish.as_deref() else {
        // What the stream does not say, the retry that followed may.
        let told = attempt.retry.and_then(|at| draft.facts.retries.get(at as usize)).map(|retry| &retry.failure);
        if let Some(failure) = told.filter(|failure| failure.code.is_some() || failure.status.is_some()) {
            return (format!("✗ {}", code(failure, "")), Role::Bad);
        }
        return match (attempt.interrupted, attempt.message_row) {
            (true, _) => (draft.words.get("silent.interrupted").to_owned(), Role::Warn),
            (false, Some(_)) => (draft.words.get("silent.no_finish").to_owned(), Role::Dim),
            (false, None) => (format!("? {}", draft.words.get("silent.no_finish")), Role::Unknown),
        };
    };
    let kind = shown_or(finish.kind.as_ref(), "?");
    match finish.failure.as_deref() {
        Some(failure) => (format!("✗ {}", code(failure, &kind)), Role::Bad),
        None if kind == "stop" || kind == "tool-calls" => (format!("✓ {kind}"), Role::Ok),
        None => (format!("! {kind}"), Role::Warn),
    }
}

/// Code and status of a failure.
fn code(failure: &Failure, kind: &str) -> String {
    let status = failure.status.map(|status| format!(" {status}")).unwrap_or_default();
    format!("{}{status}", shown_or(failure.code.as_ref(), kind))
}

/// What became of it: the wait that was asked for and the wait that was kept, or why there was none.
fn then(draft: &Draft<'_, '_>, widths: &Widths, attempt: &Attempt, listed: Option<&[String]>) -> (String, Role) {
    let words = draft.words;
    let key = |roomy: &'static str, narrow: &'static str| if widths.is_narrow { narrow } else { roomy };
    let facts = draft.facts;
    if let Some(retry) = attempt.retry.and_then(|at| facts.retries.get(at as usize)) {
        let asked = retry.delay_ms.map_or_else(|| "?".to_owned(), duration);
        let seq = number(retry.seq);
        let text = match (retry.started_row, retry.kept_ms) {
            (Some(_), Some(ms)) if ms >= 0 => {
                let kept = duration(ms);
                draft.say(
                    key("silent.wait_kept", "silent.wait_kept_narrow"),
                    &[("seq", &seq), ("time", &asked), ("kept", &kept)],
                )
            }
            (Some(_), _) => {
                draft.say(key("silent.wait_clock", "silent.wait_clock_narrow"), &[("seq", &seq), ("time", &asked)])
            }
            (None, _) => {
                draft.say(key("silent.wait_never", "silent.wait_never_narrow"), &[("seq", &seq), ("time", &asked)])
            }
        };
        return (text, Role::Warn);
    }
    if attempt.message_row.is_some() {
        return (draft.say("silent.answer", &[("seq", &number(attempt.message_seq.get()))]), Role::Normal);
    }
    let last = attempt.is_retry.and_then(|at| facts.retries.get(at as usize));
    if let Some((retry, max)) = last.and_then(|retry| retry.retry.zip(retry.max)).filter(|(retry, max)| retry >= max) {
        let text = draft.say(
            key("silent.no_retry_left", "silent.no_retry_left_narrow"),
            &[("n", &retry.to_string()), ("max", &max.to_string())],
        );
        return (text, Role::Bad);
    }
    let failure = attempt.finish.as_ref().and_then(|finish| finish.failure.as_ref());
    let known = failure.and_then(|failure| failure.code.as_ref()).map(shown);
    match (known, listed) {
        (Some(code), Some(listed)) if !listed.contains(&code) => {
            (words.get(key("silent.not_listed", "silent.not_listed_narrow")).to_owned(), Role::Normal)
        }
        (Some(_), _) => (words.get("silent.not_retried").to_owned(), Role::Normal),
        (None, _) => (words.get("silent.no_answer").to_owned(), Role::Warn),
    }
}

/// The codes that a chain retries, as its records list them; `None` while the record is not here.
fn policy(draft: &mut Draft<'_, '_>, retry: &Retry) -> Option<Vec<String>> {
    let line = draft.text(retry.row)?;
    let key = Peek::line(&line)?.path(&["data", "policyKey"])?.text(4_000)?.into_owned();
    let mut codes = Vec::new();
    collect(Peek::line(&key)?, &mut codes, 0);
    codes.retain(|code| code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'));
    Some(codes)
}

/// All texts inside of a value, a few levels deep.
fn collect(value: Peek<'_>, out: &mut Vec<String>, depth: u8) {
    if out.len() > 50 || depth > 4 {
        return;
    }
    if let Some(text) = value.text(100) {
        out.push(one_line(&text, 60));
        return;
    }
    value.items().into_iter().for_each(|item| collect(item, out, depth + 1));
    value.fields().into_iter().for_each(|(_, item)| collect(item, out, depth + 1));
}

fn turn_end(draft: &mut Draft<'_, '_>, turn: &Turn) {
    let Some(kind) = &turn.end else { return };
    let failure = turn.failure.as_deref();
    let why = failure.map(|failure| format!(" {}", code(failure, ""))).unwrap_or_default();
    let message = failure.and_then(|failure| failure.message.as_ref());
    let message = message.map(|text| format!(" \"{}\"", shown(text))).unwrap_or_default();
    let (seq, number) = (number(turn.end_seq), turn.turn.to_string());
    let request = turn.end_row.and_then(|row| request_id(draft, row));
    let request = request.map(|id| format!("   {}", draft.say("silent.request", &[("id", &id)]))).unwrap_or_default();
    let state = format!("{}{why}{message}{request}", shown(kind));
    let text = draft.say("silent.turn_ended", &[("seq", &seq), ("turn", &number), ("state", &state)]);
    draft.line(format!("     {text}"), Role::Normal, turn.end_row);
}

/// The id by which the provider knows the request that failed.
fn request_id(draft: &mut Draft<'_, '_>, row: RowIx) -> Option<String> {
    let line = draft.text(row)?;
    let reason = Peek::line(&line)?.path(&["data", "reason"])?;
    let failure = reason.get("failure").or(reason.get("error"))?;
    failure.text_of("requestId", 200).map(|id| one_line(&id, 60))
}

/// When attempts failed and waits went on, one cell for a share of the whole time.
fn strip(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    let (Some(first), Some(last)) = (facts.first_time, facts.last_time) else { return };
    let took = last.saturating_sub(first);
    let cells = draft.width.saturating_sub(6).clamp(10, 120);
    let Some(scale) = u64::try_from(took).ok().filter(|took| *took > 0) else { return };
    let place = |time: i64| {
        let since = u64::try_from(time.saturating_sub(first)).unwrap_or(0).min(scale);
        ((u128::from(since) * (cells as u128 - 1)) / u128::from(scale)) as usize
    };
    let mut row = vec![' '; cells];
    for retry in &facts.retries {
        let from = draft.index_row(retry.row).and_then(Row::time).map(|time| time.0);
        let Some(from) = from else { continue };
        let to = from.saturating_add(retry.kept_ms.unwrap_or(0).max(0));
        (place(from)..=place(to)).for_each(|at| row[at] = '-');
    }
    for attempt in &facts.attempts {
        let Some(time) = attempt.last_time.get() else { continue };
        let cell = &mut row[place(time)];
        // What failed is what one looks for.
        if attempt.message_row.is_none() {
            *cell = '✗';
        } else if *cell != '✗' {
            *cell = '✓';
        }
    }
    let cell = duration((scale / cells as u64).max(1) as i64);
    let text = draft.say("silent.when", &[("to", &duration(took)), ("cell", &cell)]);
    draft.line(text, Role::Dim, None);
    draft.line(format!("    {}", row.into_iter().collect::<String>().trim_end()), Role::Normal, None);
    draft.blank();
}

/// Calls that the model began to ask for and that no message holds.
fn stream_only(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    if facts.dropped_calls.is_empty() {
        return;
    }
    let count = draft.words.count("count.calls", facts.dropped_calls.len() as u64);
    let text = draft.say("silent.stream_only", &[("calls", &count)]);
    draft.line(text, Role::Strong, None);
    let missing = draft.words.get("missing.column");
    for call in &facts.dropped_calls {
        let id = call.call_id.as_ref().map_or_else(|| missing.to_owned(), |id| short_call_id(&shown(id)));
        let (tool, seq) = (shown_or(call.name.as_ref(), missing), number(call.seq));
        let (turn, step) = (number(call.turn), number(call.step));
        let values = [("tool", &*tool), ("id", &*id), ("seq", &*seq), ("turn", &*turn), ("step", &*step)];
        let text = draft.say("silent.stream_only_call", &values);
        draft.line(format!("  - {text}"), Role::Dim, Some(call.row));
    }
    draft.blank();
}

/// `in 1,234  out 56  cached 7  written 8  reasoning 9`.
fn counts(draft: &Draft<'_, '_>, usage: &Usage) -> String {
    let [input, output, read, write, reasoning] =
        [usage.input, usage.output, usage.cache_read, usage.cache_write, usage.reasoning]
            .map(|count| draft.words.number(count));
    let values =
        [("input", &*input), ("output", &*output), ("read", &*read), ("write", &*write), ("reasoning", &*reasoning)];
    draft.say("silent.counts", &values)
}

/// Tokens of the session, own and inherited, by turn and by step.
fn token_rows(draft: &mut Draft<'_, '_>) {
    let facts = draft.facts;
    draft.words("silent.tokens", Role::Strong);
    if facts.usage.requests_in_file == 0 {
        return draft.words("silent.no_usage", Role::Dim);
    }
    let own = counts(draft, &facts.usage.own);
    let requests = draft.words.count("count.requests", facts.usage.requests_own);
    let text = draft.say("silent.own", &[("requests", &requests), ("counts", &own)]);
    draft.line(format!("  {text}"), Role::Normal, None);
    if facts.inherited.events > 0 {
        let whole = counts(draft, &facts.usage.in_file);
        let requests = draft.words.count("count.requests", facts.usage.requests_in_file);
        let text = draft.say("silent.in_file", &[("requests", &requests), ("counts", &whole)]);
        draft.line(format!("  {text}"), Role::Normal, facts.inherited.cut_row);
    }
    let turns: Vec<_> = tokens::by_turn(facts).collect();
    let heads = ["silent.col_place", "silent.col_attempts", "silent.col_in", "silent.col_out", "silent.col_read"];
    let words = draft.words;
    let [place, attempts, input, output, read] = heads.map(|key| words.get(key).to_owned());
    let (write, lost) = (words.get("silent.col_write").to_owned(), words.get("silent.col_lost").to_owned());
    draft.row(&columns([place, attempts, input, output, read, write, lost], Role::Dim), None);
    let with_steps = tokens::by_step(facts).nth(MOST_STEPS).is_none();
    let mut attempts: HashMap<(i64, i64), Vec<&Attempt>> = HashMap::default();
    for attempt in facts.attempts.iter().filter(|_| with_steps) {
        if let Some(place) = attempt.turn.get().zip(attempt.step.get()) {
            attempts.entry(place).or_default().push(attempt);
        }
    }
    let mut steps = tokens::by_step(facts).filter(|_| with_steps).peekable();
    for (turn, sum) in turns.iter().take(MOST_STEPS) {
        let row = draft.turn(Some(*turn)).map(|turn| turn.start_row);
        sum_row(draft, turn.to_string(), sum, row);
        while let Some(((_, step), sum)) = steps.next_if(|((of, _), _)| of == turn) {
            let attempts = attempts.get(&(*turn, step)).map(Vec::as_slice).unwrap_or_default();
            sum_row(draft, format!("  {turn}.{step}"), &sum, attempts.first().map(|attempt| attempt.first_row));
            for (at, attempt) in attempts.iter().enumerate().filter(|_| attempts.len() > 1) {
                let sum = TokenSum::of(std::iter::once(*attempt));
                sum_row(draft, format!("    #{}", at + 1), &sum, Some(attempt.first_row));
            }
        }
    }
    draft.more(turns.len().saturating_sub(MOST_STEPS));
}

fn columns(texts: [String; 7], role: Role) -> Vec<Cell> {
    let [place, rest @ ..] = texts;
    let mut cells = vec![Cell::left(format!("  {place}"), 12, role)];
    cells.extend(rest.into_iter().zip([8, 9, 9, 9, 9, 12]).map(|(text, width)| Cell::right(text, width, role)));
    cells
}

fn sum_row(draft: &mut Draft<'_, '_>, place: String, sum: &TokenSum, row: Option<RowIx>) {
    let words = draft.words;
    let count = |count: u64| if sum.requests == 0 { "-".to_owned() } else { words.number(count) };
    let tokens = sum.tokens;
    let lost = sum.failed.input.saturating_add(sum.failed.output);
    let texts = [
        place,
        words.number(sum.attempts),
        count(tokens.input),
        count(tokens.output),
        count(tokens.cache_read),
        count(tokens.cache_write),
        count(lost),
    ];
    let role = if sum.differing > 0 { Role::Warn } else { Role::Normal };
    draft.row(&columns(texts, role), row);
}
