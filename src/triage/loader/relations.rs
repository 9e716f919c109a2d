//! How events must relate to each other from version 4: turns, steps, calls and results, sub-calls, commands, citations.
//!
//! Retries, compactions and marks are in [`super::owners`].

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::objection::{Objections, Pass};
use super::owners::{Compactions, Marks, Retries};
use super::replay::name;
use super::surface::SurfaceFold;
use crate::record::admission::Links;
use crate::record::event::{Body, Event, Failure, Fingerprint, Place, RecoveryId, Surface};
use crate::record::header::Header;
use crate::record::kinds::Kind;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// First version whose reader holds events against each other. That of version 3 does so only with what it migrates.
pub(super) const SINCE: i64 = 4;

/// A call asked for in the open step.
#[derive(Debug, Clone)]
struct Asked {
    name: WireText,
    arguments: Fingerprint,
    started: bool,
}

/// A sub-call.
#[derive(Debug, Clone)]
struct Dispatch {
    root: WireText,
    parent: WireText,
    name: WireText,
    settled: bool,
}

/// What grows with the log; shared between copies.
#[derive(Debug, Clone, Default)]
struct Seen {
    dispatches: HashMap<WireText, Dispatch>,
    commands: HashSet<WireText>,
    /// Seqs of commands, which may not be cited as the effect of one.
    command_seqs: HashSet<i64>,
    /// Seqs of what a person wrote.
    prompts: HashSet<i64>,
    /// Children in the catalogue; what is inherited does not count.
    children: HashSet<WireText>,
    /// Names of the tools that each request header defines, sorted, with repetitions.
    headers: HashMap<i64, Arc<[WireText]>>,
}

/// The relations of the events so far.
#[derive(Debug, Clone)]
pub(super) struct Relations {
    turn: Option<i64>,
    step: Option<i64>,
    next_turn: i64,
    next_step: i64,
    provider: Option<WireText>,
    asked: HashMap<WireText, Asked>,
    seen: Arc<Seen>,
    retries: Retries,
    compactions: Compactions,
    marks: Marks,
    tools: Option<Arc<[WireText]>>,
    /// A child that the catalogue names twice; forgiven where it turns out to be inherited.
    child_twice: Option<(RowIx, String)>,
}

impl Default for Relations {
    fn default() -> Self {
        Self {
            turn: None,
            step: None,
            next_turn: 1,
            next_step: 1,
            provider: None,
            asked: HashMap::default(),
            seen: Arc::default(),
            retries: Retries::default(),
            compactions: Compactions::default(),
            marks: Marks::default(),
            tools: None,
            child_twice: None,
        }
    }
}

/// What stands around the event that is judged.
pub(super) struct Around<'a> {
    pub(super) version: i64,
    pub(super) surface: &'a SurfaceFold,
    pub(super) head: Option<i64>,
}

type Verdict = Result<(), String>;

impl Relations {
    /// Judges the next kept event, after it was put on the surface.
    pub(super) fn event(&mut self, at: RowIx, event: &Event, around: &Around<'_>, objections: &mut Objections) {
        // An ignorable type of another version is opaque, and what follows a refusal is not looked at.
        if around.version < SINCE || !event.kind.known_in(around.version) || objections.has(Pass::Relations) {
            return;
        }
        if let Err(why) = self.take(at, event, around, objections) {
            objections.note(Pass::Relations, at, || why);
        }
    }

    fn take(&mut self, at: RowIx, event: &Event, around: &Around<'_>, objections: &mut Objections) -> Verdict {
        let seq = event.seq.unwrap_or_default();
        match &event.body {
            Body::TurnStart { turn } => {
                self.compactions.crossed(at, seq);
                self.turn_start(*turn, seq)
            }
            Body::TurnEnd { turn, .. } => {
                self.compactions.crossed(at, seq);
                self.turn_end(*turn, seq)
            }
            Body::StepStart(place) => self.step_start(*place, seq),
            Body::StepEnd(place) => self.step_end(event, *place),
            Body::EndSeed { inherited } => {
                self.compactions.end_seed();
                if *inherited {
                    self.inherit();
                }
                Ok(())
            }
            Body::Catalog { child, .. } => {
                self.catalogue(at, child, seq);
                Ok(())
            }
            _ if event.kind == Kind::DeliveryAccepted => self.marks.event(at, event, around.version),
            _ if event.kind.is_surface() => self.message(event, seq),
            _ => self.log_only(event, around, objections),
        }
    }

    /// An event of the surface.
    fn message(&mut self, event: &Event, seq: i64) -> Verdict {
        match &event.body {
            Body::SystemMessage(place) => self.inside_step(event, *place),
            Body::DeveloperMessage { place, added, header_seq, .. } => {
                self.inside_step(event, *place)?;
                self.additions(added, *header_seq, seq)
            }
            Body::Message { place, requests, .. } => {
                self.inside_step(event, *place)?;
                requests
                    .iter()
                    .try_for_each(|request| self.ask(&request.id, &request.name, request.arguments.print, seq))
            }
            Body::Result { .. } => self.result(event, seq),
            Body::UserMessage { source, .. } => {
                if source.as_ref().is_some_and(|kind| *kind == "user") {
                    Arc::make_mut(&mut self.seen).prompts.insert(seq);
                }
                if event.surface == Surface::Append { Ok(()) } else { self.compactions.checkpoint(event) }
            }
            _ => Ok(()),
        }
    }

    /// Any other event.
    fn log_only(&mut self, event: &Event, around: &Around<'_>, objections: &mut Objections) -> Verdict {
        let seq = event.seq.unwrap_or_default();
        match &event.body {
            Body::Attempt { place, .. } => self.inside_step(event, *place),
            Body::Call { place, id, name, arguments, .. } => {
                self.inside_step(event, *place)?;
                self.start(id, name, arguments.print, seq)
            }
            Body::RequestHeader { provider, tools, .. } => {
                self.inside_turn(event)?;
                self.provider.clone_from(provider);
                self.define(tools, seq);
                Ok(())
            }
            Body::Context { .. } => self.inside_turn(event),
            Body::SubCall { parent, root, id, name } => {
                self.inside_turn(event)?;
                self.dispatch(parent, root, id, name, seq)
            }
            Body::SubResult { parent, root, id, name, .. } => {
                self.inside_turn(event)?;
                self.settle(parent, root, id, name, seq)
            }
            Body::Retry { .. } => {
                // A retry can be announced when its step is over.
                let step = self.step.unwrap_or(self.next_step - 1);
                self.retries.retry(event, (self.turn, Some(step)), self.provider.as_ref())
            }
            Body::RetryStarted { .. } => self.retries.started(event),
            Body::CommandRun { id, .. } => self.command_run(id, seq),
            Body::CommandDone { id, kind } => self.command_done(event, id, kind.as_ref(), seq),
            Body::Title { source, .. } => self.title(event, Some(source.as_ref().is_some_and(|kind| *kind == "user"))),
            _ if event.kind == Kind::SessionTitleLlmRequest => self.title(event, None),
            _ => self.compactions.event(event, self.turn, around, objections),
        }
    }

    /// What came so far was inherited: its marks and its catalogue are another session's.
    fn inherit(&mut self) {
        self.marks.inherit();
        Arc::make_mut(&mut self.seen).children.clear();
        self.child_twice = None;
    }

    /// What only the end of the log decides.
    pub(super) fn finish(&self, header: Option<&Header>, objections: &mut Objections) {
        self.compactions.finish(objections);
        self.marks.finish(header, objections);
        if let Some((at, why)) = &self.child_twice {
            objections.note_earlier(Pass::Relations, *at, || why.clone());
        }
    }

    fn turn_start(&mut self, turn: Option<i64>, seq: i64) -> Verdict {
        if let Some(open) = self.turn {
            return Err(format!("the turn/start at seq {seq} stands inside turn {open}"));
        }
        if turn != Some(self.next_turn) {
            return Err(format!("the turn/start at seq {seq} does not open turn {}", self.next_turn));
        }
        self.turn = turn;
        self.next_step = 1;
        self.asked.clear();
        Ok(())
    }

    fn turn_end(&mut self, turn: Option<i64>, seq: i64) -> Verdict {
        if self.turn.is_none() || turn != self.turn {
            return Err(format!("the turn/end at seq {seq} does not close the open turn"));
        }
        if self.step.is_some() {
            return Err(format!("the turn/end at seq {seq} leaves a step open"));
        }
        self.none_asked("turn/end", seq)?;
        self.turn = None;
        self.next_turn += 1;
        Ok(())
    }

    fn step_start(&mut self, place: Place, seq: i64) -> Verdict {
        let fits = self.turn.is_some() && place.turn == self.turn && self.step.is_none();
        if !fits || place.step != Some(self.next_step) {
            return Err(format!("the step/start at seq {seq} does not open the next step of the open turn"));
        }
        self.step = place.step;
        Ok(())
    }

    fn step_end(&mut self, event: &Event, place: Place) -> Verdict {
        self.inside_step(event, place)?;
        self.none_asked("step/end", event.seq.unwrap_or_default())?;
        self.step = None;
        self.next_step += 1;
        Ok(())
    }

    fn inside_turn(&self, event: &Event) -> Verdict {
        match self.turn {
            Some(_) => Ok(()),
            None => Err(format!("the {} at seq {} is outside a turn", name(event), event.seq.unwrap_or_default())),
        }
    }

    fn inside_step(&self, event: &Event, place: Place) -> Verdict {
        if self.turn.is_some() && self.step.is_some() && place.turn == self.turn && place.step == self.step {
            return Ok(());
        }
        Err(format!("the {} at seq {} is outside its turn and step", name(event), event.seq.unwrap_or_default()))
    }

    fn none_asked(&self, what: &str, seq: i64) -> Verdict {
        // Of several the least is named, so that the text does not depend on chance.
        match self.asked.keys().min() {
            None => Ok(()),
            Some(id) => Err(format!("the {what} at seq {seq} leaves the call {} without a result", id.to_report())),
        }
    }

    fn ask(&mut self, id: &WireText, name: &WireText, arguments: Fingerprint, seq: i64) -> Verdict {
        if id.is_empty() {
            return Err(format!("the assistant/message at seq {seq} asks for a call without an id"));
        }
        let asked = Asked { name: name.clone(), arguments, started: false };
        match self.asked.insert(id.clone(), asked) {
            None => Ok(()),
            Some(_) => {
                Err(format!("the assistant/message at seq {seq} asks again for the open call {}", id.to_report()))
            }
        }
    }

    fn start(&mut self, id: &WireText, name: &WireText, arguments: Fingerprint, seq: i64) -> Verdict {
        match self.asked.get_mut(id) {
            Some(asked) if !asked.started && asked.name == *name && asked.arguments == arguments => {
                asked.started = true;
                Ok(())
            }
            Some(_) => Err(format!("the tool/call at seq {seq} differs from what the message asked for")),
            None => Err(format!("the tool/call at seq {seq} was not asked for")),
        }
    }

    fn result(&mut self, event: &Event, seq: i64) -> Verdict {
        let Body::Result { place, id, is_error, failure, recovery, .. } = &event.body else { return Ok(()) };
        if event.surface != Surface::Append {
            return self.inside_turn(event);
        }
        self.inside_step(event, *place)?;
        let Some(asked) = id.as_ref().and_then(|id| self.asked.remove(id)) else {
            return Err(format!("the tool/result at seq {seq} has no call that was asked for"));
        };
        let repair = *is_error
            && !event.cites.present
            && *recovery != RecoveryId::None
            && failure.as_deref().is_some_and(is_not_started);
        if asked.started || repair {
            return Ok(());
        }
        Err(format!("the tool/result at seq {seq} has no tool/call and is not the record of a recovery"))
    }

    fn dispatch(&mut self, parent: &WireText, root: &WireText, id: &WireText, name: &WireText, seq: i64) -> Verdict {
        self.below(parent, root, seq)?;
        let dispatch = Dispatch { root: root.clone(), parent: parent.clone(), name: name.clone(), settled: false };
        match Arc::make_mut(&mut self.seen).dispatches.insert(id.clone(), dispatch) {
            None => Ok(()),
            Some(_) => Err(format!("the sub-call at seq {seq} repeats the id {}", id.to_report())),
        }
    }

    fn settle(&mut self, parent: &WireText, root: &WireText, id: &WireText, name: &WireText, seq: i64) -> Verdict {
        self.below(parent, root, seq)?;
        match Arc::make_mut(&mut self.seen).dispatches.get_mut(id) {
            Some(start) if !start.settled => {
                start.settled = true;
                if start.root == *root && start.parent == *parent && start.name == *name {
                    return Ok(());
                }
                Err(format!("the outcome of a sub-call at seq {seq} differs from its start"))
            }
            _ => Err(format!("the outcome of a sub-call at seq {seq} has no start of its own")),
        }
    }

    /// A sub-call stands below its root, or below a sub-call of that root.
    fn below(&self, parent: &WireText, root: &WireText, seq: i64) -> Verdict {
        let fits = parent == root || self.seen.dispatches.get(parent).is_some_and(|above| above.root == *root);
        if fits { Ok(()) } else { Err(format!("the sub-call at seq {seq} does not stand below its root")) }
    }

    fn command_run(&mut self, id: &WireText, seq: i64) -> Verdict {
        let seen = Arc::make_mut(&mut self.seen);
        seen.command_seqs.insert(seq);
        if seen.commands.insert(id.clone()) && !id.is_empty() {
            return Ok(());
        }
        Err(format!("the command/run at seq {seq} repeats the id {}", id.to_report()))
    }

    fn command_done(&mut self, event: &Event, id: &WireText, kind: Option<&WireText>, seq: i64) -> Verdict {
        let ran = self.seen.commands.contains(id);
        let cited = match event.admission.links.as_deref() {
            Some(Links::Effect(source)) => Some(*source),
            _ => None,
        };
        Arc::make_mut(&mut self.seen).command_seqs.insert(seq);
        if !ran {
            return Err(format!("the command/done at seq {seq} has no command/run"));
        }
        let sound = match cited {
            None => true,
            Some(source) => {
                kind.is_some_and(|kind| *kind == "success")
                    && source
                        .is_some_and(|source| (0..seq).contains(&source) && !self.seen.command_seqs.contains(&source))
            }
        };
        if sound { Ok(()) } else { Err(format!("the command/done at seq {seq} cites no effect of its own")) }
    }

    /// Titles cite what a person wrote, and one that a person gave cites nothing. `by_user`: `None` for a request.
    fn title(&self, event: &Event, by_user: Option<bool>) -> Verdict {
        let seq = event.seq.unwrap_or_default();
        let Some(Links::Titled(Some(cited))) = event.admission.links.as_deref() else {
            return Err(format!("the {} at seq {seq} has no list of messages", name(event)));
        };
        let mut once = HashSet::default();
        let sound = cited.iter().all(|cited| self.seen.prompts.contains(cited) && once.insert(*cited));
        if sound && by_user.is_none_or(|by_user| by_user == cited.is_empty()) {
            return Ok(());
        }
        Err(format!("the {} at seq {seq} does not cite the messages of a person", name(event)))
    }

    fn catalogue(&mut self, at: RowIx, child: &WireText, seq: i64) {
        let is_first = Arc::make_mut(&mut self.seen).children.insert(child.clone());
        if !is_first && self.child_twice.is_none() {
            let why = format!("the subagent/catalog at seq {seq} repeats the child {}", child.to_report());
            self.child_twice = Some((at, why));
        }
    }

    /// Keeps the tools that a header defines, sorted; most headers define those of the one before.
    fn define(&mut self, tools: &[WireText], seq: i64) {
        let mut sorted = tools.to_vec();
        sorted.sort_unstable();
        let shared = match &self.tools {
            Some(before) if **before == *sorted => Arc::clone(before),
            _ => sorted.into(),
        };
        Arc::make_mut(&mut self.seen).headers.insert(seq, Arc::clone(&shared));
        self.tools = Some(shared);
    }

    /// Each tool that a developer message adds is defined exactly once by the header it names.
    fn additions(&self, added: &[WireText], header: Option<i64>, seq: i64) -> Verdict {
        let Some(header) = header else { return Ok(()) };
        let Some(tools) = self.seen.headers.get(&header) else {
            return Err(format!("the developer/message at seq {seq} names no earlier request/header"));
        };
        let is_once = |name: &WireText| {
            let at = tools.partition_point(|tool| tool < name);
            tools.get(at) == Some(name) && tools.get(at + 1) != Some(name)
        };
        match added.iter().find(|name| !is_once(name)) {
            None => Ok(()),
            Some(tool) => {
                let tool = tool.to_report();
                Err(format!("the developer/message at seq {seq} adds {tool}, which its header does not define once"))
            }
        }
    }
}

/// The error of a result for a call that never started.
fn is_not_started(failure: &Failure) -> bool {
    failure.name.as_ref().is_some_and(|name| *name == "ToolNotStartedError")
        && failure.code.as_ref().is_some_and(|code| *code == "TOOL_NOT_STARTED")
}
