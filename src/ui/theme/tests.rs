use super::colour::{SIXTEEN, contrast};
use super::*;
use crate::text::locale::Words;

const COLOURED: [BuiltIn; 3] = [BuiltIn::Dark, BuiltIn::Light, BuiltIn::Ansi16];

fn rgb(colour: Option<Color>) -> Option<Rgb> {
    match colour? {
        Color::Rgb(r, g, b) => Some(Rgb(r, g, b)),
        Color::Indexed(at @ 16..=231) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            Some(Rgb(level((at - 16) / 36), level((at - 16) / 6 % 6), level((at - 16) % 6)))
        }
        Color::Indexed(at @ 232..) => Some(Rgb(8 + 10 * (at - 232), 8 + 10 * (at - 232), 8 + 10 * (at - 232))),
        named => SIXTEEN.iter().find(|(_, known, _)| *known == named).map(|(_, _, value)| *value),
    }
}

#[test]
fn every_theme_of_the_program_reads_in_every_palette() {
    for theme in BuiltIn::ALL {
        for palette in [Palette::None, Palette::Sixteen, Palette::Indexed, Palette::True] {
            let theme = Theme::parse(source(theme), palette);
            assert!(theme.is_ok(), "{theme:?}");
        }
        assert_eq!(BuiltIn::named(theme.name()), Some(theme));
    }
}

#[test]
fn every_role_can_be_read_on_the_background_and_on_the_selected_row() {
    // What the sixteen look like is up to the owner of the terminal: they are looked at as xterm has them, on the
    // background alone, and have to reach what is asked of large and bold text.
    for (palette, enough) in [(Palette::True, ENOUGH), (Palette::Indexed, ENOUGH), (Palette::Sixteen, 3.0)] {
        for built_in in COLOURED {
            let theme = Theme::built_in(built_in, palette);
            let selected = rgb(theme.style(Role::Selection).bg).filter(|_| palette != Palette::Sixteen);
            let ground = if palette == Palette::Sixteen { nearest_end(theme.background) } else { theme.background };
            for (role, name) in ROLES {
                let Some(ink) = rgb(theme.style(role).fg) else {
                    continue;
                };
                for ground in std::iter::once(ground).chain(selected) {
                    let ratio = contrast(ink, ground);
                    assert!(ratio >= enough, "{} {palette:?} {name}: {ratio:.2} on {ground:?}", built_in.name());
                }
            }
        }
    }
}

/// Black for a dark background, white for a light one: what a terminal of sixteen colours has.
fn nearest_end(Rgb(r, _, _): Rgb) -> Rgb {
    if r < 128 { Rgb(0, 0, 0) } else { Rgb(255, 255, 255) }
}

#[test]
fn the_hardest_to_read_is_found() {
    for built_in in COLOURED {
        let faintest = built_in_file(built_in).faintest();
        assert!(faintest.is_none_or(|(_, ratio)| ratio >= ENOUGH), "{} {faintest:?}", built_in.name());
    }
    let read = |text: &str| ThemeFile::read(text).unwrap().faintest().map(|(name, ratio)| (name, ratio.round()));
    assert_eq!(read("[roles]\nok = { fg = \"#ffffff\" }\n"), None, "no background is told");
    let text = "background = \"#000000\"\n[roles]\nok = { fg = \"#ffffff\" }\nbad = { fg = \"red\" }\n";
    assert_eq!(read(text), Some(("ok", 21.0)));
    let selected = format!("{text}selection = {{ bg = \"#ffffff\" }}\n");
    assert_eq!(read(&selected), Some(("ok", 1.0)));
}

#[test]
fn without_colours_weight_says_what_section_22_says() {
    for built_in in BuiltIn::ALL {
        let theme = Theme::built_in(built_in, Palette::None);
        let weight = |role| theme.style(role).add_modifier;
        assert!(ROLES.iter().all(|(role, _)| theme.style(*role).fg.is_none() && theme.style(*role).bg.is_none()));
        assert_eq!(weight(Role::Strong), Modifier::BOLD);
        assert_eq!(weight(Role::Bad), Modifier::BOLD);
        assert_eq!(weight(Role::Unknown), Modifier::BOLD);
        assert_eq!(weight(Role::Accent), Modifier::UNDERLINED);
        assert_eq!(weight(Role::Selection), Modifier::REVERSED);
        assert_eq!(weight(Role::Match), Modifier::BOLD | Modifier::UNDERLINED);
        for quiet in [Role::Normal, Role::Dim, Role::Ok, Role::Warn, Role::Surface, Role::Hidden] {
            assert_eq!(weight(quiet), Modifier::empty(), "{quiet:?}");
        }
    }
}

#[test]
fn a_missing_role_looks_like_its_parent() {
    let theme =
        Theme::parse("[roles]\nwarn = { fg = \"yellow\" }\ndim = { fg = \"#808080\" }\n", Palette::True).unwrap();
    assert_eq!(theme.style(Role::Unknown), theme.style(Role::Warn));
    assert_eq!(theme.style(Role::Bad).fg, Some(Color::Yellow));
    assert_eq!(theme.style(Role::Hidden).fg, Some(Color::Rgb(128, 128, 128)));
    assert_eq!(theme.style(Role::Accent), Style::new());
}

#[test]
fn faults_name_their_place() {
    let cases = [
        ("background = 3\n", (1, 14), "expected \"#5fc9d8\""),
        ("[roles]\n\nwarm = {}\n", (3, 1), "there is no setting \"warm\"; did you mean warn?"),
        ("[roles]\nwarn = { fg = \"yelow\" }\n", (2, 15), "bright-white; did you mean yellow?"),
        ("[roles]\nwarn = { fg = \"#12\" }\n", (2, 15), "expected \"#5fc9d8\", black red"),
        ("[roles]\nwarn = { bold = 1 }\n", (2, 17), "expected true, false"),
        ("[roles]\nwarn = { size = 1 }\n", (2, 10), "there is no setting \"size\""),
        ("base = \"lihgt\"\n", (1, 8), "expected dark, light, ansi-16, mono; did you mean light?"),
        ("colour = 1\n", (1, 1), "there is no setting \"colour\""),
        ("[roles]\nok = {}\nwarn = = 1\n", (3, 8), "not valid TOML"),
        ("roles = 1", (1, 9), "expected {"),
    ];
    for (text, (line, column), said) in cases {
        let fault = Theme::parse(text, Palette::True).expect_err(text);
        let what = fault.say(&Words::english());
        assert_eq!((fault.place.line, fault.place.column), (line, column), "{text:?} {what}");
        assert!(what.contains(said), "{what}");
    }
}

#[test]
fn a_reversed_span_is_reversed_whatever_its_role() {
    let theme = Theme::built_in(BuiltIn::Mono, Palette::None);
    let style = theme.style_of(&Span::new("? OUTCOME UNKNOWN", Role::Unknown).reversed());
    assert_eq!(style.add_modifier, Modifier::BOLD | Modifier::REVERSED);
}
