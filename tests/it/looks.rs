//! How screens look: in each family of themes as files to read, and that no colour says anything by itself.

use std::collections::BTreeMap;
use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use trajview::app::theming::{BuiltIn, ThemeId, Themed};
use trajview::text::role::Role;
use trajview::ui::glyphs::Glyphs;
use trajview::ui::theme::{Palette, Theme};

use super::screens::{SAMPLE, keep};
use super::support::stage::{Stage, rows_of};

/// A log with calls in every state, and one with every outcome of an approval.
const SHOWN: [(&str, &str); 3] = [
    (SAMPLE, ""),
    ("tests/cases/12-parallel-calls-mixed/session.jsonl.zstd", ""),
    ("tests/cases/21-approval-outcomes/session.jsonl.zstd", "A"),
];

fn bytes(path: &str) -> Vec<u8> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A log on a screen with a theme; the model knows the theme as the program would tell it.
fn stage(path: &str, (columns, rows): (u16, u16), theme: BuiltIn, palette: Palette) -> Stage {
    let mut stage = Stage::open(bytes(path), path, columns, rows);
    stage.look.theme = Theme::built_in(theme, palette);
    stage.model.settings.colours = palette != Palette::None;
    stage.model.themed = Themed::new(ThemeId::BuiltIn(theme), false);
    stage
}

/// The style of a cell in a few words; empty for the terminal's own.
fn styled(cell: &Cell) -> String {
    let colour = |name: &str, colour: Color| match colour {
        Color::Reset => String::new(),
        other => format!(" {name} {other}"),
    };
    let mut out = colour("fg", cell.fg) + &colour("bg", cell.bg);
    for (modifier, name) in
        [(Modifier::BOLD, " bold"), (Modifier::UNDERLINED, " underlined"), (Modifier::REVERSED, " reversed")]
    {
        if cell.modifier.contains(modifier) {
            out.push_str(name);
        }
    }
    out
}

/// The screen, below it the styles of its cells by letters (`.`: the terminal's own), and what the letters mean.
fn with_styles(buffer: &Buffer) -> String {
    let mut letters: Vec<String> = vec![String::new()];
    let mut styles = String::new();
    for row in 0..buffer.area.height {
        let mut line = String::new();
        for column in 0..buffer.area.width {
            let style = styled(&buffer[(column, row)]);
            let at = letters.iter().position(|known| *known == style).unwrap_or_else(|| {
                letters.push(style);
                letters.len() - 1
            });
            line.push(if at == 0 { '.' } else { char::from(b'a' + u8::try_from(at - 1).expect("few styles")) });
        }
        styles.push_str(line.trim_end_matches('.'));
        styles.push('\n');
    }
    let mut out: String = rows_of(buffer).iter().flat_map(|row| [row.trim_end(), "\n"]).collect();
    out.push_str("-- styles\n");
    out.push_str(&styles);
    for (letter, style) in ('a'..).zip(&letters[1..]) {
        writeln!(out, "{letter}{style}").expect("a string takes all");
    }
    out
}

#[test]
fn themes() {
    for (name, theme, palette) in [
        ("theme_dark", BuiltIn::Dark, Palette::True),
        ("theme_light", BuiltIn::Light, Palette::True),
        ("theme_light_256", BuiltIn::Light, Palette::Indexed),
        ("theme_ansi_16", BuiltIn::Ansi16, Palette::Sixteen),
        ("theme_mono", BuiltIn::Mono, Palette::True),
        ("theme_no_color", BuiltIn::Dark, Palette::None),
    ] {
        let mut screens = String::new();
        for (path, keys) in SHOWN {
            let mut stage = stage(path, (80, 24), theme, palette);
            stage.press(keys);
            writeln!(screens, "== {path}   keys: {keys}\n{}", with_styles(&stage.draw().0))
                .expect("a string takes all");
        }
        keep(name, &screens);
    }
}

#[test]
fn theme_while_it_is_chosen() {
    let mut stage = Stage::open(bytes(SAMPLE), SAMPLE, 80, 24);
    stage.press(":theme l");
    keep("theme_chosen", &stage.text());
    assert_eq!(stage.model.themed.now, ThemeId::BuiltIn(BuiltIn::Light), "the screen shows it already");
    stage.press("<Esc>");
    assert_eq!(stage.model.themed.now, ThemeId::default());
}

#[test]
fn ascii_alone() {
    let mut screens = String::new();
    for size in [(80, 24), (40, 12), (20, 5)] {
        let mut stage = stage(SAMPLE, size, BuiltIn::Dark, Palette::True);
        stage.look.glyphs = Glyphs::ascii();
        writeln!(screens, "== {}x{}\n{}", size.0, size.1, stage.text()).expect("a string takes all");
    }
    let strange: Vec<char> = screens.chars().filter(|char| !char.is_ascii()).collect();
    assert!(strange.is_empty(), "{strange:?}");
    keep("ascii", &screens);
}

/// Roles that judge; the others only order what is read first.
const JUDGING: [Role; 4] = [Role::Ok, Role::Warn, Role::Bad, Role::Unknown];

/// What is shown alike in words and signs is judged alike: whoever sees no colours misses nothing.
#[test]
fn no_colour_says_anything_by_itself() {
    let theme = Theme::built_in(BuiltIn::Dark, Palette::True);
    let judged = |cell: &Cell| JUDGING.into_iter().find(|role| theme.style(*role).fg == Some(cell.fg));
    let mut seen: BTreeMap<String, BTreeMap<Vec<Option<Role>>, String>> = BTreeMap::new();
    let folder = format!("{}/tests/cases", env!("CARGO_MANIFEST_DIR"));
    let mut logs: Vec<String> = std::fs::read_dir(folder)
        .expect("there are cases")
        .map(|entry| format!("tests/cases/{}/session.jsonl.zstd", entry.expect("it is read").file_name().display()))
        .filter(|path| std::path::Path::new(&format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).exists())
        .collect();
    logs.push(SAMPLE.to_owned());
    for path in logs {
        let mut stage = stage(&path, (140, 45), BuiltIn::Dark, Palette::True);
        for keys in ["", "gg", "A", "qU", "qR", "qC", "qT", "qi"] {
            stage.press(keys);
            let (buffer, _) = stage.draw();
            for row in 0..buffer.area.height {
                let cells: Vec<&Cell> = (0..buffer.area.width).map(|column| &buffer[(column, row)]).collect();
                for part in cells.split(|cell| cell.symbol() == "╎") {
                    let text: String = part.iter().map(|cell| cell.symbol()).collect();
                    let filled = part.iter().filter(|cell| cell.symbol() != " ");
                    let judgement = filled.map(|cell| judged(cell)).collect();
                    let place = format!("{path} {keys} row {row}");
                    seen.entry(text.trim().to_owned()).or_default().entry(judgement).or_insert(place);
                }
            }
        }
    }
    // A sign alone on its row points at what stands above it.
    let apart: Vec<_> = seen.iter().filter(|(text, judgements)| judgements.len() > 1 && text.len() > 1).collect();
    assert!(apart.is_empty(), "the same words in two colours: {apart:#?}");
}
