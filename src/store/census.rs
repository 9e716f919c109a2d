//! What is true of the sessions of a store together: who belongs to whom, and what is odd.
//!
//! Worked out from the folders and from what is known of each log; to be worked out anew when more is known. Nothing
//! is read here. Time grows with the number of sessions.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::brief::{Brief, Health};
use super::head::NoHeader;
use super::layout::{encode_session_id, project_folder_name};
use super::stored::{RootKind, SessionIx, Store, StoredSession};
use crate::text::wire::WireText;
use crate::triage::facts::LoaderResult;

/// What is true of the sessions of a store together.
#[derive(Debug, Clone, Default)]
pub struct Census {
    /// One entry a session, in the order of [`Store::sessions`].
    pub kin: Vec<Kin>,
}

/// A session among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kin {
    /// Its id: as the header says, else as the folder does; `None` where neither tells.
    pub id: Option<WireText>,
    /// Who started it, or whom it was forked from.
    pub parent: Parent,
    /// Those it started, and its forks, the oldest first. A session whose id is stored twice has them under each.
    pub children: Vec<SessionIx>,
    /// Whether it stands for a row of its own at the left edge: without a parent, or without one that is there.
    pub is_root: bool,
    /// What is odd about it, and what the harness does about it.
    pub oddities: Vec<Oddity>,
}

/// Who stands above a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent {
    /// Its header is not known yet, or there is none.
    Unknown,
    /// A person started it.
    None,
    /// A session of this store.
    Present(SessionIx),
    /// A session that is not in this store.
    Missing(WireText),
    /// A session of this store that descends from this one: headers that lead in a circle.
    Loop(SessionIx),
}

/// Something odd about a session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Oddity {
    /// The same id is stored elsewhere too, other places given: the harness refuses to list the store.
    SameIdTwice(Vec<SessionIx>),
    /// The highest generation is there in both encodings: the harness refuses the root.
    TwoEncodings,
    /// The project folder is not the one that belongs to the cwd of the header, which is given: the harness refuses it.
    FolderDiffers {
        /// The name that belongs to the cwd.
        expected: String,
    },
    /// The session folder is not the one that belongs to the id of the header, which is given: the harness refuses it.
    NameDiffers {
        /// The name that belongs to the id.
        expected: String,
    },
    /// The file name claims another version than the header: the harness refuses it.
    VersionDiffers {
        /// By the name.
        name: i64,
        /// By the header.
        header: i64,
    },
    /// The parent is not in this store.
    ParentMissing(WireText),
    /// The parents lead in a circle.
    ParentLoop,
    /// The harness refuses the log by itself, wherever it lies.
    Refused {
        /// Why, in the words of the report of the log.
        why: String,
    },
    /// The newest generation cannot be loaded and an older one lies beside it, whose version is given: the harness does
    /// not fall back to it.
    OlderBeside(i64),
}

impl Oddity {
    /// Why the harness refuses the session for it; `None` where it does not.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static str> {
        match self {
            Oddity::SameIdTwice(_) => Some("the id is stored twice"),
            Oddity::TwoEncodings => Some("both encodings of one generation are stored"),
            Oddity::FolderDiffers { .. } => Some("the project folder does not belong to the cwd of the header"),
            Oddity::NameDiffers { .. } => Some("the session folder does not belong to the id of the header"),
            Oddity::VersionDiffers { .. } => Some("the file name claims another version than the header"),
            // The log by itself is judged before where it lies.
            Oddity::ParentMissing(_) | Oddity::ParentLoop | Oddity::OlderBeside(_) | Oddity::Refused { .. } => None,
        }
    }
}

impl Census {
    /// Judges a store; `briefs` has what is known of the current log of each session, in their order.
    #[must_use]
    pub fn of(store: &Store, briefs: &[Option<Brief>]) -> Census {
        let brief = |at: SessionIx| briefs.get(at.at()).and_then(Option::as_ref);
        let ids: Vec<Option<WireText>> = store.places().map(|at| id_of(store, at, brief(at))).collect();
        let mut by_id: HashMap<&WireText, Vec<SessionIx>> = HashMap::new();
        for (at, id) in store.places().zip(&ids) {
            if let Some(id) = id {
                by_id.entry(id).or_default().push(at);
            }
        }
        let mut kin: Vec<Kin> = store
            .places()
            .zip(&ids)
            .map(|(at, id)| Kin {
                id: id.clone(),
                parent: parent_of(store, at, brief(at), &by_id),
                children: Vec::new(),
                is_root: false,
                oddities: oddities(store, at, brief(at), id.as_ref(), &by_id),
            })
            .collect();
        break_loops(&mut kin);
        give_children(&mut kin, store, &by_id, &brief);
        Census { kin }
    }

    /// The session at a place; `None` where the store has none there.
    #[must_use]
    pub fn get(&self, at: SessionIx) -> Option<&Kin> {
        self.kin.get(at.at())
    }

    /// The worst thing of a session: of its log by itself, and of where it lies. `None` while neither is known.
    #[must_use]
    pub fn health(&self, at: SessionIx, brief: Option<&Brief>) -> Option<Health> {
        let is_refused = self.get(at).is_some_and(|kin| kin.oddities.iter().any(|odd| odd.refusal().is_some()));
        let by_itself = brief.and_then(Brief::health);
        if is_refused { Some(by_itself.map_or(Health::Warn, |health| health.min(Health::Warn))) } else { by_itself }
    }

    /// Sessions without a parent that is there, in the order of the store.
    pub fn roots(&self) -> impl Iterator<Item = SessionIx> + '_ {
        self.kin.iter().enumerate().filter(|(_, kin)| kin.is_root).map(|(at, _)| SessionIx(at as u32))
    }

    /// A session and everything that descends from it, each before its children, with the number of generations
    /// between. Each session once.
    #[must_use]
    pub fn family(&self, root: SessionIx) -> Vec<(SessionIx, usize)> {
        self.ordered(vec![root], &|_, _| Ordering::Equal, &|_, _| true)
    }

    /// All sessions as a tree: parents before children, siblings sorted, with the level of each.
    pub fn tree(&self, order: &dyn Fn(SessionIx, SessionIx) -> Ordering) -> Vec<(SessionIx, usize)> {
        let mut roots: Vec<SessionIx> = self.roots().collect();
        roots.sort_by(|a, b| order(*a, *b));
        // Of two with the same id a child stands below the one that is its parent.
        self.ordered(roots, order, &|at, child| self.kin[child.at()].parent == Parent::Present(at))
    }

    /// For each session the newest of the times of itself and of all that descends from it: families sort by it.
    #[must_use]
    pub fn newest(&self, time: &dyn Fn(SessionIx) -> Option<i64>) -> Vec<Option<i64>> {
        let mut newest: Vec<Option<i64>> = (0..self.kin.len() as u32).map(|at| time(SessionIx(at))).collect();
        for (at, _) in self.tree(&|_, _| Ordering::Equal).into_iter().rev() {
            if let Parent::Present(above) = self.kin[at.at()].parent {
                newest[above.at()] = newest[above.at()].max(newest[at.at()]);
            }
        }
        newest
    }

    fn ordered(
        &self,
        roots: Vec<SessionIx>,
        order: &dyn Fn(SessionIx, SessionIx) -> Ordering,
        is_below: &dyn Fn(SessionIx, SessionIx) -> bool,
    ) -> Vec<(SessionIx, usize)> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.kin.len()];
        let mut stack: Vec<(SessionIx, usize)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
        while let Some((at, level)) = stack.pop() {
            let Some(kin) = self.get(at).filter(|_| !std::mem::replace(&mut seen[at.at()], true)) else { continue };
            found.push((at, level));
            let mut children: Vec<SessionIx> =
                kin.children.iter().copied().filter(|child| is_below(at, *child)).collect();
            children.sort_by(|a, b| order(*a, *b));
            stack.extend(children.into_iter().rev().map(|child| (child, level + 1)));
        }
        found
    }
}

fn id_of(store: &Store, at: SessionIx, brief: Option<&Brief>) -> Option<WireText> {
    let by_header = brief.and_then(Brief::header).and_then(|header| header.id.clone());
    // The folder of an export has the id with other characters in it.
    by_header.or_else(|| (store.kind != RootKind::Export).then(|| store[at].id_by_folder()).flatten())
}

fn parent_of(
    store: &Store,
    at: SessionIx,
    brief: Option<&Brief>,
    by_id: &HashMap<&WireText, Vec<SessionIx>>,
) -> Parent {
    let Some(header) = brief.and_then(Brief::header) else { return Parent::Unknown };
    let Some(id) = &header.parent_session else { return Parent::None };
    let Some(found) = by_id.get(id) else { return Parent::Missing(id.clone()) };
    // Of two with the same id, the one beside it is the likelier parent.
    let project = store[at].project;
    let beside = found.iter().find(|other| store[**other].project == project);
    beside.or_else(|| found.first()).map_or_else(|| Parent::Missing(id.clone()), |parent| Parent::Present(*parent))
}

/// Makes a root of one session of each circle.
fn break_loops(kin: &mut [Kin]) {
    // 0: not looked at, 1: on the way up from the session at hand, 2: leads to a root.
    let mut state = vec![0_u8; kin.len()];
    for start in 0..kin.len() {
        let mut way = Vec::new();
        let mut at = start;
        while state[at] == 0 {
            state[at] = 1;
            way.push(at);
            match kin[at].parent {
                Parent::Present(above) if state[above.at()] == 1 => {
                    kin[at].parent = Parent::Loop(above);
                    kin[at].oddities.push(Oddity::ParentLoop);
                }
                Parent::Present(above) => at = above.at(),
                Parent::Unknown | Parent::None | Parent::Missing(_) | Parent::Loop(_) => {}
            }
        }
        for at in way {
            state[at] = 2;
        }
    }
    for one in kin {
        one.is_root = !matches!(one.parent, Parent::Present(_));
        if let Parent::Missing(id) = &one.parent {
            one.oddities.push(Oddity::ParentMissing(id.clone()));
        }
    }
}

fn give_children<'b>(
    kin: &mut [Kin],
    store: &Store,
    by_id: &HashMap<&WireText, Vec<SessionIx>>,
    brief: &dyn Fn(SessionIx) -> Option<&'b Brief>,
) {
    for at in store.places() {
        let Parent::Present(parent) = kin[at.at()].parent else { continue };
        let id = kin[parent.at()].id.clone();
        let alike = id.as_ref().and_then(|id| by_id.get(id));
        for above in alike.into_iter().flatten() {
            kin[above.at()].children.push(at);
        }
    }
    let created = |at: &SessionIx| brief(*at).and_then(Brief::header).and_then(|header| header.created_at);
    for one in kin.iter_mut() {
        one.children.sort_by_key(|child| (created(child), *child));
    }
}

fn oddities(
    store: &Store,
    at: SessionIx,
    brief: Option<&Brief>,
    id: Option<&WireText>,
    by_id: &HashMap<&WireText, Vec<SessionIx>>,
) -> Vec<Oddity> {
    let session = &store[at];
    let mut odd = Vec::new();
    let alike = id.and_then(|id| by_id.get(id)).map(Vec::as_slice).unwrap_or_default();
    if alike.len() > 1 {
        odd.push(Oddity::SameIdTwice(alike.iter().copied().filter(|other| *other != at).collect()));
    }
    if session.has_two_encodings() {
        odd.push(Oddity::TwoEncodings);
    }
    let Some(brief) = brief else { return odd };
    if let Some(header) = brief.header() {
        if folder_matches(store, session, header.cwd.as_ref()) == Some(false) {
            odd.push(Oddity::FolderDiffers { expected: project_folder_name(header.cwd.as_ref()) });
        }
        let expected = header.id.as_ref().and_then(|id| encode_session_id(id.as_bytes()));
        let is_judged = folder_matches(store, session, header.cwd.as_ref()).is_some();
        if let Some(expected) = expected
            && is_judged
            && !session.folder_name().eq_ignore_ascii_case(expected.as_bytes())
        {
            odd.push(Oddity::NameDiffers { expected });
        }
        if let Some(version) = header.version
            && version != session.current().version
            && store.kind != RootKind::Export
        {
            odd.push(Oddity::VersionDiffers { name: session.current().version, header: version });
        }
    }
    // Of a log without a header its title tells, and of a wrong version what was told above.
    let is_told = brief.head.is_err() || odd.iter().any(|odd| matches!(odd, Oddity::VersionDiffers { .. }));
    let whole = brief.whole.as_ref().filter(|_| !is_told);
    if let Some(whole) = whole.filter(|whole| whole.loader == Some(LoaderResult::Refuses)) {
        odd.push(Oddity::Refused { why: whole.loader_why.clone() });
    }
    let older = session.generations.iter().find(|log| !session.is_current(log));
    if let Some(older) = older.filter(|_| is_refused(brief)) {
        odd.push(Oddity::OlderBeside(older.version));
    }
    odd
}

/// Whether the harness would not load the log, as far as it is known.
fn is_refused(brief: &Brief) -> bool {
    let by_head = match &brief.head {
        Ok(header) => !header.problems.is_empty(),
        Err(
            NoHeader::Empty | NoHeader::NotAHeader | NoHeader::Lost | NoHeader::NotALog(_) | NoHeader::Unreadable(_),
        ) => true,
    };
    by_head || brief.whole.as_ref().is_some_and(|whole| whole.loader == Some(LoaderResult::Refuses))
}

/// Whether the project folder is the one that belongs to a cwd. `None` where the folder was never to be one: in an
/// export, and where its name has not the form that the harness gives to project folders, as in a folder of copies.
#[must_use]
pub fn folder_matches(store: &Store, session: &StoredSession, cwd: Option<&WireText>) -> Option<bool> {
    let project = store.project_of(session);
    let is_judged = project.is_canonical && store.kind != RootKind::Export;
    // The harness takes a name that differs in case alone, as some file systems give it.
    is_judged.then(|| project.name.as_bytes().eq_ignore_ascii_case(project_folder_name(cwd).as_bytes()))
}
