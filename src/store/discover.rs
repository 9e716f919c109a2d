//! Finding what a root holds: folders are listed, logs are told by their names and sizes, nothing is opened.

mod found;
mod walk;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use self::found::Found;
use self::walk::Walk;
use super::archive::Archive;
use super::directory::Directory;
use super::stored::{Project, ProjectIx, Store};
use crate::log::Source;

/// Looks at everything below a root. `Err` only where the root itself cannot be listed.
///
/// The root may be a sessions root, a project, a session or a folder above. A session is a folder with a log directly
/// in it, at any depth; what lies in the folder of a session belongs to it. `each` hears how many folders were looked
/// at, and may end the search; what was found by then is kept, and the rest is a
/// [`Problem::NotLookedAt`](super::Problem). The cost is one listing a folder and one look at the size of a log.
pub fn discover(
    directory: Arc<dyn Directory>,
    root: &Path,
    each: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> io::Result<Store> {
    let mut walk = Walk { directory: directory.as_ref(), folders: Vec::new(), problems: Vec::new() };
    walk.run(root, each)?;
    let Walk { folders, mut problems, .. } = walk;
    let Found { kind, projects, mut sessions, mut other_files, problems: more, .. } =
        Found::of(directory.as_ref(), &folders);
    problems.extend(more);
    let (projects, places) = sorted(&projects);
    for session in &mut sessions {
        session.project = places[session.project.at()];
    }
    sessions.sort_by(|a, b| (a.project, &a.folder).cmp(&(b.project, &b.folder)));
    other_files.sort_by(|a, b| a.path.cmp(&b.path));
    problems.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(Store { root: root.to_owned(), kind, projects, sessions, other_files, problems, directory })
}

/// Looks into an export ZIP. `Err` where it has no directory of its entries, or one that cannot be made out.
pub fn open_archive(source: Arc<dyn Source>, path: &Path) -> io::Result<Store> {
    let archive = Archive::open(source, path)?;
    let problems = archive.problems().to_vec();
    let mut store = discover(Arc::new(archive), path, &mut |_| ControlFlow::Continue(()))?;
    store.problems.extend(problems);
    store.problems.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(store)
}

/// Projects by path, and where each of them went.
fn sorted(projects: &[Project]) -> (Vec<Project>, Vec<ProjectIx>) {
    let mut order: Vec<usize> = (0..projects.len()).collect();
    order.sort_by(|a, b| projects[*a].path.cmp(&projects[*b].path));
    let mut places = vec![ProjectIx(0); projects.len()];
    for (place, from) in order.iter().enumerate() {
        places[*from] = ProjectIx(place as u32);
    }
    (order.into_iter().map(|from| projects[from].clone()).collect(), places)
}
