//! A store for people: sessions as a tree below their projects, what is odd, what else lies there.

use std::io::{self, Write};

use crate::report::stored::{GenerationEntry, generations};
use crate::store::{Census, Health, Problem, ProjectIx, RootKind, SessionIx, Survey, WhyEmpty, folder_matches, said};
use crate::text::locale::Words;
use crate::text::number::size;
use crate::text::sanitize::one_line;
use crate::text::time::Zone;
use crate::text::width::{fit, pad_end, pad_start};
use crate::triage::pass::page::MOST_LISTED;
use crate::triage::pass::said::{number, shown, shown_or};

/// Columns of a title; longer ones are cut.
const TITLE: usize = 30;

/// Columns of why a session stopped; longer ones push what follows.
const ENDING: usize = 40;

/// Columns of a number of events.
const EVENTS: usize = 9;

/// Columns of a time.
const TIME: usize = 19;

/// Most columns of a path.
const MOST_PATH: usize = 1_000;

/// Columns before a further line of a session.
const INDENT: usize = 6;

/// Writes the report of a store.
pub fn write(survey: &Survey, words: &Words, zone: &Zone, out: &mut dyn Write) -> io::Result<()> {
    let mut page = StorePage { survey, words, zone, lines: Vec::new() };
    page.title();
    page.projects();
    page.families();
    page.others();
    page.problems();
    page.lines.iter().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}

/// Writes the generations of a session that was reported by itself.
pub fn write_files(files: &[GenerationEntry], words: &Words, out: &mut dyn Write) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(out, "{}", words.get("store.files"))?;
    files.iter().try_for_each(|file| writeln!(out, "{}{}", " ".repeat(INDENT), file.say(words)))
}

struct StorePage<'a> {
    survey: &'a Survey,
    words: &'a Words,
    zone: &'a Zone,
    lines: Vec<String>,
}

impl StorePage<'_> {
    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    fn proof(&mut self, text: &str) {
        self.line(format!("{}{text}", " ".repeat(INDENT)));
    }

    fn title(&mut self) {
        let (store, words) = (&self.survey.store, self.words);
        let path = one_line(store.root.as_os_str().as_encoded_bytes(), MOST_PATH);
        let values = [("program", env!("CARGO_PKG_NAME")), ("version", env!("CARGO_PKG_VERSION")), ("path", &*path)];
        self.line(words.say("report_text.title", &values));
        let projects = store.projects.len() as u64;
        let mut parts = vec![said::root_kind(store.kind, words).to_owned()];
        if store.kind != RootKind::Export {
            parts.push(words.count("store.projects", projects));
        }
        parts.push(words.count("store.sessions", store.sessions.len() as u64));
        parts.push(words.count("store.other_files", store.count_of_other_files() as u64));
        self.line(parts.join("   "));
        let marked = |health| store.places().filter(|at| self.survey.health(*at) == Some(health)).count().to_string();
        let [unknown, bad, warn] = [Health::Unknown, Health::Bad, Health::Warn].map(marked);
        self.line(words.say("store.marked", &[("unknown", &unknown), ("bad", &bad), ("warn", &warn)]));
        if store.mixes_encodings() {
            self.line(words.get("store.mixed").to_owned());
        }
        if let Some(why) = store.why_empty() {
            self.why_empty(why);
        }
    }

    fn why_empty(&mut self, why: WhyEmpty) {
        let text = said::why_empty(why, self.survey.store.other_files.len(), self.words);
        self.line(text);
    }

    fn projects(&mut self) {
        let survey = self.survey;
        let newest = survey.census.newest(&|at| survey.brief(at)?.told.as_ref()?.last_time);
        let tree = survey.census.tree(&|a, b| newest[b.at()].cmp(&newest[a.at()]).then(a.cmp(&b)));
        // A child may lie in another project: it stands below its parent.
        let mut in_project = ProjectIx(0);
        let mut last = None;
        let mut order: Vec<(ProjectIx, SessionIx, usize)> = Vec::with_capacity(tree.len());
        for (at, level) in tree {
            if level == 0 {
                in_project = survey.store[at].project;
            }
            order.push((in_project, at, level));
        }
        order.sort_by_key(|(project, ..)| *project);
        for (project, at, level) in order {
            if last != Some(project) {
                self.project(project);
                last = Some(project);
            }
            self.session(at, level, project);
        }
    }

    fn project(&mut self, project: ProjectIx) {
        let (store, words) = (&self.survey.store, self.words);
        let one = &store.projects[project.at()];
        // Only a header tells the cwd, and only one that fits the folder tells the folder's.
        let cwd = store.places().filter(|at| store[*at].project == project).find_map(|at| {
            let cwd = self.survey.brief(at)?.header()?.cwd.as_ref();
            (folder_matches(store, &store[at], cwd) != Some(false)).then(|| match cwd {
                Some(cwd) => words.say("store.cwd", &[("cwd", &shown(cwd))]),
                None => words.get("store.no_cwd").to_owned(),
            })
        });
        let odd = (!one.is_canonical && store.kind == RootKind::Sessions).then(|| words.get("store.not_a_project"));
        let parts = [Some(shown(&one.name)), cwd, odd.map(str::to_owned)].into_iter().flatten();
        let line = parts.collect::<Vec<_>>().join("   ");
        self.line(String::new());
        if store.kind != RootKind::Export {
            self.line(line);
        }
    }

    fn session(&mut self, at: SessionIx, level: usize, under: ProjectIx) {
        let (survey, words) = (self.survey, self.words);
        let Some(brief) = survey.brief(at) else { return };
        let told = brief.told.as_ref();
        let missing = words.get("missing.column");
        let time = told.and_then(|told| told.last_time);
        let time = time.map_or_else(|| missing.to_owned(), |time| self.zone.date_time(time));
        let depth = number(brief.header().and_then(|header| header.delegation_depth));
        let title = format!("{}{}", "  ".repeat(level.min(TITLE / 4)), said::title(brief, words));
        let events = brief.whole.as_ref().map(|whole| words.count("count.events", whole.events));
        let version = brief.version().map_or_else(|| missing.to_owned(), |version| format!("v{version}"));
        let id = survey.census.get(at).and_then(|kin| kin.id.as_ref());
        self.line(format!(
            "{} {} {depth} {} {} {} {version}  {}",
            survey.health(at).map_or(' ', Health::glyph),
            pad_end(&time, TIME),
            fit(&title, TITLE),
            pad_end(&said::ending(brief, words), ENDING),
            pad_start(events.as_deref().unwrap_or(missing), EVENTS + 5),
            shown_or(id, missing),
        ));
        self.beside(at, under);
    }

    /// What stands below a session: where else it lies, what is odd, its generations.
    fn beside(&mut self, at: SessionIx, under: ProjectIx) {
        let (survey, words) = (self.survey, self.words);
        let session = &survey.store[at];
        if session.project != under && survey.store.kind != RootKind::Export {
            self.proof(&shown(&survey.store.project_of(session).name));
        }
        if let Some(flaw) = survey.brief(at).and_then(|brief| brief.flaw.as_ref()) {
            self.proof(&words.say("store.flaw", &[("why", &one_line(flaw.as_bytes(), MOST_PATH))]));
        }
        for oddity in survey.census.get(at).map(|kin| kin.oddities.as_slice()).unwrap_or_default() {
            let text = said::oddity(oddity, &survey.store, at, survey.brief(at), words);
            self.proof(&format!("{}   {text}", said::badge(oddity, words)));
        }
        if session.generations.len() > 1 {
            for file in generations(session, &survey.generations[at.at()]) {
                self.proof(&file.say(words));
            }
        }
    }

    fn families(&mut self) {
        let (survey, words) = (self.survey, self.words);
        let open: Vec<_> = survey.lineages().into_iter().filter(|lineage| lineage.deepest_open.is_some()).collect();
        if open.is_empty() {
            return;
        }
        self.line(String::new());
        self.line(words.get("store.families").to_owned());
        let id = |at: SessionIx| shown_or(id_in(&survey.census, at), words.get("missing.column"));
        for lineage in open {
            let Some((at, call)) = &lineage.deepest_open else { continue };
            let sessions = words.count("store.sessions", lineage.sessions.len() as u64);
            let (root, session, name, call_id) = (id(lineage.root), id(*at), shown(&call.name), shown(&call.call_id));
            let state = crate::triage::pass::said::state(call.state);
            let values = [
                ("root", &*root),
                ("sessions", &*sessions),
                ("name", &*name),
                ("id", &*call_id),
                ("session", &*session),
                ("state", state),
            ];
            self.proof(&words.say("store.family", &values));
        }
    }

    fn others(&mut self) {
        let (store, words) = (&self.survey.store, self.words);
        let files = &store.other_files;
        if files.is_empty() {
            return;
        }
        self.line(String::new());
        self.line(words.say("store.others", &[("n", &words.number(store.count_of_other_files() as u64))]));
        let names = store.other_names();
        for (file, count) in names.iter().take(MOST_LISTED) {
            let kind = said::other_kind(file.look(store.directory().as_ref()).unwrap_or(file.kind), words);
            if *count > 1 {
                let times = words.say("store.times", &[("n", &words.number(*count as u64))]);
                self.proof(&format!("{}   {times}   {kind}", said::name_of(&file.path)));
                continue;
            }
            let media = file.media_type().filter(|_| store.kind == RootKind::Export);
            let bytes = file.size.map(size);
            let parts = [Some(said::below(store, &file.path)), Some(kind.to_owned()), media.map(str::to_owned), bytes];
            self.proof(&parts.into_iter().flatten().collect::<Vec<_>>().join("   "));
        }
        self.more(names.len());
    }

    fn problems(&mut self) {
        let (store, words) = (&self.survey.store, self.words);
        let problems: &[Problem] = &store.problems;
        if problems.is_empty() {
            return;
        }
        self.line(String::new());
        self.line(words.say("store.problems", &[("n", &words.number(problems.len() as u64))]));
        for problem in problems.iter().take(MOST_LISTED) {
            let path = said::below(store, problem.path());
            self.proof(&format!("{path}   {}", said::problem(problem, words)));
        }
        self.more(problems.len());
    }

    fn more(&mut self, listed: usize) {
        if listed > MOST_LISTED {
            let more = self.words.count("report_text.more", (listed - MOST_LISTED) as u64);
            self.proof(&more);
        }
    }
}

fn id_in(census: &Census, at: SessionIx) -> Option<&crate::text::wire::WireText> {
    census.get(at).and_then(|kin| kin.id.as_ref())
}
