use super::colour::{SIXTEEN, contrast};
use super::*;

const COLOURED: [BuiltIn; 3] = [BuiltIn::Dark, BuiltIn::Light, BuiltIn::Ansi16];

fn rgb(colour: Option<Color>) -> Option<Rgb> {
    match colour? {
        Color::Rgb(r, g, b) => Some(Rgb(r, g, b)),
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
    for built_in in COLOURED {
        let theme = Theme::built_in(built_in, Palette::True);
        let selected = rgb(theme.style(Role::Selection).bg);
        for (role, name) in ROLES {
            let Some(ink) = rgb(theme.style(role).fg) else {
                continue;
            };
            for ground in std::iter::once(theme.background).chain(selected) {
                let ratio = contrast(ink, ground);
                assert!(ratio >= 4.5, "{} {name}: {ratio:.2} on {ground:?}", built_in.name());
            }
        }
    }
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
fn problems_name_their_line() {
    let cases = [
        ("background = 3\n", 1, "expected a colour"),
        ("[roles]\n\nwarm = {}\n", 3, "unknown role \"warm\""),
        ("[roles]\nwarn = { fg = \"yelow\" }\n", 2, "expected one of black"),
        ("[roles]\nwarn = { bold = 1 }\n", 2, "expected true or false"),
        ("[roles]\nwarn = { size = 1 }\n", 2, "unknown key \"size\""),
        ("colour = 1\n", 1, "unknown key \"colour\""),
        ("[roles]\nok = {}\nwarn = = 1\n", 3, ""),
        ("roles = 1", 1, "expected a table"),
    ];
    for (text, line, problem) in cases {
        let error = Theme::parse(text, Palette::True).expect_err(text);
        assert_eq!(error.line, line, "{error}");
        assert!(error.problem.contains(problem), "{error}");
    }
}

#[test]
fn a_reversed_span_is_reversed_whatever_its_role() {
    let theme = Theme::built_in(BuiltIn::Mono, Palette::None);
    let style = theme.style_of(&Span::new("? OUTCOME UNKNOWN", Role::Unknown).reversed());
    assert_eq!(style.add_modifier, Modifier::BOLD | Modifier::REVERSED);
}
