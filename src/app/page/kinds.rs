//! The kinds of pages, and the one table of what each is like: how it is made, moved in, hinted at. A page is added here.

use super::{Page, approvals, bug, container, drafted, ladder, sheet, six_steps, state};
use crate::app::action::Stop;
use crate::app::hints::{Hint, When};
use crate::app::keymap::Context;
use crate::app::model::{Model, Open};
use crate::app::update::here;
use crate::triage::pass::citation::Cited;

/// Which page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PageKind {
    /// Header and state as of the selected seq.
    State,
    /// The ten-minute pass.
    SixSteps,
    /// The unpaired ladder.
    Ladder,
    /// The silent model: attempts, retries, tokens.
    Silent,
    /// Where the time went.
    Time,
    /// Changed files.
    Changes,
    /// Originals: what was rewritten, never sent, uploaded.
    Originals,
    /// Prompt and tools of the requests.
    Request,
    /// The approval ledger.
    Approvals,
    /// Sequence and container.
    Container,
    /// The bug report.
    Bug,
}

/// How the cursor moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Motion {
    /// By lines.
    Lines,
    /// From one line that leads somewhere to the next.
    Targets,
    /// As [`Motion::Targets`]; lines up to the next target belong to the one at the cursor and stay on the screen with it.
    Blocks,
}

/// What a page is like.
pub(crate) struct Traits {
    /// Makes it of the log that is open.
    pub(super) make: fn(&Open, &Model) -> Page,
    /// Writes the lines at its bottom, about the line with the cursor.
    pub(super) foot: Option<fn(&mut sheet::Sheet<'_>, &Page)>,
    /// How the cursor moves.
    pub(crate) motion: Motion,
    /// What it says changes with the cursor of the timeline.
    pub(crate) follows: bool,
    /// It has parts that can be shown alone, and its rows can be sorted and filtered.
    pub(crate) is_ledger: bool,
    /// Where its keys are looked up first.
    pub(crate) context: Context,
    /// Keys that help on it, most useful first.
    pub(crate) hints: &'static [Hint],
}

/// What most pages are like.
const USUAL: Traits = Traits {
    make: |open, model| state::state(open, here(model), &model.settings, model.screen.0),
    foot: None,
    motion: Motion::Targets,
    follows: false,
    is_ledger: false,
    context: Context::Page,
    hints: &[ENTER, COPY, BACK],
};

const ENTER: Hint = Hint::new("hint.enter_there", When::LeadsAnywhere);
const COPY: Hint = Hint::always("hint.copy");
const BACK: Hint = Hint::always("hint.back");

const STATE: Traits = Traits {
    motion: Motion::Lines,
    follows: true,
    hints: &[Hint::always("hint.another_seq"), Hint::always("hint.request_page"), ENTER, COPY, BACK],
    ..USUAL
};

const SIX_STEPS: Traits = Traits {
    make: |open, model| six_steps::six_steps(sheet::Sheet::new(open, model)),
    motion: Motion::Blocks,
    hints: &[
        ENTER,
        Hint::new("hint.last_unpaired", When::UnpairedCall),
        Hint::new("hint.silent", When::Any(Stop::Retry)),
        Hint::always("hint.ladder"),
        Hint::always("hint.bug"),
        COPY,
        BACK,
    ],
    ..USUAL
};

const LADDER: Traits =
    Traits { make: |open, model| ladder::page(sheet::Sheet::new(open, model)), motion: Motion::Blocks, ..USUAL };

const SILENT: Traits =
    Traits { make: drafted::silent, hints: &[ENTER, COPY, Hint::always("hint.time_page"), BACK], ..USUAL };

const TIME: Traits = Traits {
    make: drafted::time,
    hints: &[
        ENTER,
        COPY,
        Hint::always("hint.scope"),
        Hint::new("hint.next_stall", When::Any(Stop::Stall)),
        Hint::always("hint.silent"),
        BACK,
    ],
    ..USUAL
};

const CHANGES: Traits = Traits { make: drafted::changes, ..USUAL };

const ORIGINALS: Traits = Traits { make: drafted::originals, ..USUAL };

const REQUEST: Traits = Traits { make: drafted::request, ..USUAL };

const APPROVALS: Traits = Traits {
    make: |open, model| approvals::page(sheet::Sheet::new(open, model)),
    foot: Some(approvals::foot::foot),
    motion: Motion::Blocks,
    is_ledger: true,
    hints: &[ENTER, Hint::always("hint.filter"), Hint::always("hint.sort"), Hint::always("hint.next_part"), COPY, BACK],
    ..USUAL
};

const CONTAINER: Traits = Traits {
    make: |open, model| container::page(sheet::Sheet::new(open, model)),
    foot: Some(container::foot),
    motion: Motion::Blocks,
    hints: &[ENTER, Hint::always("hint.map_cell"), COPY, BACK],
    ..USUAL
};

const BUG: Traits = Traits {
    make: |open, model| {
        let cited = model.bug_about.unwrap_or(Cited::Event(here(model).unwrap_or_default()));
        bug::page(sheet::Sheet::new(open, model), cited, model.bug)
    },
    context: Context::Bug,
    motion: Motion::Blocks,
    hints: &[
        COPY,
        Hint::always("hint.write_report"),
        Hint::always("hint.edit_report"),
        Hint::always("hint.pipe"),
        Hint::always("hint.add_arguments"),
        Hint::always("hint.add_result"),
        ENTER,
        BACK,
    ],
    ..USUAL
};

impl PageKind {
    /// Where its keys are looked up first, as the page stands.
    pub(crate) fn context(self, model: &Model) -> Context {
        if self == PageKind::Bug && model.bug.asked.is_some() { Context::BugAsked } else { self.traits().context }
    }

    /// All kinds.
    pub const ALL: [PageKind; 11] = [
        PageKind::State,
        PageKind::SixSteps,
        PageKind::Ladder,
        PageKind::Silent,
        PageKind::Time,
        PageKind::Changes,
        PageKind::Originals,
        PageKind::Request,
        PageKind::Approvals,
        PageKind::Container,
        PageKind::Bug,
    ];

    /// What it is like.
    pub(crate) fn traits(self) -> &'static Traits {
        match self {
            PageKind::State => &STATE,
            PageKind::SixSteps => &SIX_STEPS,
            PageKind::Ladder => &LADDER,
            PageKind::Silent => &SILENT,
            PageKind::Time => &TIME,
            PageKind::Changes => &CHANGES,
            PageKind::Originals => &ORIGINALS,
            PageKind::Request => &REQUEST,
            PageKind::Approvals => &APPROVALS,
            PageKind::Container => &CONTAINER,
            PageKind::Bug => &BUG,
        }
    }
}
