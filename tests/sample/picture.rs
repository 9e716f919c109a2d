//! A screen as a picture: SVG, with the colours of the cells.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Width and height of a cell, and how far above its foot the letters stand.
const CELL: (f32, f32, f32) = (8.4, 18.0, 5.0);

/// Room around the screen.
const EDGE: f32 = 12.0;

/// What stands for the colours of the terminal itself.
const PAPER: &str = "#16181d";
const INK: &str = "#d5d8df";

/// The look of a run of cells.
#[derive(PartialEq)]
struct Dress {
    ink: String,
    paper: Option<String>,
    modifier: Modifier,
}

impl Dress {
    fn of(cell: &Cell) -> Dress {
        let ink = colour(cell.fg).unwrap_or_else(|| INK.to_owned());
        let paper = colour(cell.bg);
        if cell.modifier.contains(Modifier::REVERSED) {
            let under = paper.unwrap_or_else(|| PAPER.to_owned());
            return Dress { ink: under, paper: Some(ink), modifier: cell.modifier };
        }
        Dress { ink, paper, modifier: cell.modifier }
    }
}

/// The picture of a screen. The same buffer always gives the same bytes.
pub fn svg(buffer: &Buffer, cells: impl Fn(&Buffer, u16) -> Vec<(u16, String)>) -> String {
    let (width, height) = (f32::from(buffer.area.width), f32::from(buffer.area.height));
    let (width, height) = (width * CELL.0 + 2.0 * EDGE, height * CELL.1 + 2.0 * EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{PAPER}\"/>\n\
         <g font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"14\" \
         xml:space=\"preserve\">\n"
    );
    for y in buffer.area.top()..buffer.area.bottom() {
        for run in runs(buffer, y, &cells(buffer, y)) {
            run.draw(y, &mut out);
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// Cells of one row that look alike.
struct Run {
    x: u16,
    columns: u16,
    text: String,
    dress: Dress,
}

fn runs(buffer: &Buffer, y: u16, cells: &[(u16, String)]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let ends = cells.iter().skip(1).map(|(x, _)| *x).chain([buffer.area.right()]);
    for ((x, symbol), end) in cells.iter().zip(ends) {
        let Some(cell) = buffer.cell((*x, y)) else { continue };
        let (dress, columns) = (Dress::of(cell), end - x);
        match runs.last_mut() {
            // Wide signs stand alone: fonts do not agree on how wide they are.
            Some(run) if run.dress == dress && columns == 1 && usize::from(run.columns) == run.text.chars().count() => {
                run.text.push_str(symbol);
                run.columns += columns;
            }
            _ => runs.push(Run { x: *x, columns, text: symbol.clone(), dress }),
        }
    }
    runs
}

impl Run {
    fn draw(&self, y: u16, out: &mut String) {
        let (x, top) = (EDGE + f32::from(self.x) * CELL.0, EDGE + f32::from(y) * CELL.1);
        let width = f32::from(self.columns) * CELL.0;
        if let Some(paper) = &self.dress.paper {
            let height = CELL.1;
            line(
                out,
                &format!(
                    "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height}\" fill=\"{paper}\"/>"
                ),
            );
        }
        if self.text.trim().is_empty() && !self.dress.modifier.contains(Modifier::UNDERLINED) {
            return;
        }
        let foot = top + CELL.1 - CELL.2;
        let mut more = String::new();
        for (modifier, attribute) in [
            (Modifier::BOLD, " font-weight=\"bold\""),
            (Modifier::ITALIC, " font-style=\"italic\""),
            (Modifier::UNDERLINED, " text-decoration=\"underline\""),
            (Modifier::DIM, " opacity=\"0.7\""),
        ] {
            if self.dress.modifier.contains(modifier) {
                more.push_str(attribute);
            }
        }
        let text = escaped(&self.text);
        line(
            out,
            &format!(
                "<text x=\"{x:.1}\" y=\"{foot:.1}\" textLength=\"{width:.1}\" fill=\"{}\"{more}>{text}</text>",
                self.dress.ink
            ),
        );
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

/// Blanks at the ends count, whatever the reader makes of `xml:space`.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}")
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        // The themes name colours by their parts; anything else is the terminal's own.
        _ => None,
    }
}
