//! A line plot of a history, as SVG or PNG: one panel for each kind of quantity, above a common time axis.

use std::path::Path;

use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Text};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{register_font, FontStyle};

use super::axis::{lines, range, tick};
use super::raster::{average, encode_png};
use super::table::{Column, Table};
use crate::cli::{CliError, Exit};

/// Size of the picture, in points of the drawing.
const WIDTH: u32 = 960;
const TITLE_HEIGHT: u32 = 44;
const PANEL_HEIGHT: u32 = 300;
const LONE_PANEL_HEIGHT: u32 = 480;
/// PNG pixels for each point, and samples for each pixel in either direction.
const PIXELS: u32 = 2;
const SAMPLES: u32 = 2;
const FONT: &str = "sans-serif";
/// The palette of Okabe and Ito (2008), which colour-blind readers can distinguish, without yellow.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];
/// Length of dashes and of the gaps between them.
const DASH: u32 = 7;
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);

/// The format that a file name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    Svg,
    Png,
}

impl Picture {
    /// By the extension; usage error for others.
    pub fn of(path: &Path) -> Result<Self, CliError> {
        match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("svg") => Ok(Picture::Svg),
            Some("png") => Ok(Picture::Png),
            _ => Err(CliError::usage(format!(
                "--plot {}: unknown kind of picture; name it .svg or .png",
                path.display()
            ))),
        }
    }
}

/// Series of one kind: an axis of their own.
struct Panel<'a> {
    label: String,
    series: Vec<&'a Column>,
}

/// The picture of a table as the bytes of a file.
pub fn picture(table: &Table, title: &str, kind: Picture) -> Result<Vec<u8>, CliError> {
    let fail = |e: String| CliError::new(Exit::Internal, format!("plot: {e}"));
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular()).map_err(|_| fail("the font is unusable".into()))?;
    register_font(FONT, FontStyle::Bold, dejavu::sans::bold()).map_err(|_| fail("the font is unusable".into()))?;
    let panels = panels(table);
    let each = if panels.len() == 1 { LONE_PANEL_HEIGHT } else { PANEL_HEIGHT };
    let (width, height) = (WIDTH, TITLE_HEIGHT + each * panels.len() as u32);
    match kind {
        Picture::Svg => {
            let mut text = String::new();
            {
                let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
                draw(&root, table, &panels, title, 1).map_err(|e| fail(e.to_string()))?;
            }
            Ok(text.into_bytes())
        }
        Picture::Png => {
            let scale = PIXELS * SAMPLES;
            let (w, h) = (width * scale, height * scale);
            let mut pixels = vec![255; (w * h * 3) as usize];
            {
                let root = BitMapBackend::with_buffer(&mut pixels, (w, h)).into_drawing_area();
                draw(&root, table, &panels, title, scale).map_err(|e| fail(e.to_string()))?;
            }
            let pixels = average(&pixels, w as usize, SAMPLES as usize);
            encode_png(&pixels, width * PIXELS, height * PIXELS).map_err(|e| fail(e.to_string()))
        }
    }
}

fn panels(table: &Table) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel> = Vec::new();
    for column in table.columns.iter().filter(|c| !c.axis.is_empty()) {
        let label = match column.unit.as_str() {
            "1" => column.axis.to_string(),
            unit => format!("{} [{unit}]", column.axis),
        };
        match panels.iter_mut().find(|p| p.label == label) {
            Some(panel) => panel.series.push(column),
            None => panels.push(Panel { label, series: vec![column] }),
        }
    }
    panels
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

fn draw<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    table: &Table,
    panels: &[Panel],
    title: &str,
    scale: u32,
) -> Drawn<B>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    let style = (FONT, 17 * scale, FontStyle::Bold).into_font().color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
    let middle = ((WIDTH * scale / 2) as i32, (TITLE_HEIGHT * scale / 2 + 4 * scale) as i32);
    root.draw(&Text::new(shorten(title, 90), middle, style))?;
    let (_, below) = root.split_vertically(TITLE_HEIGHT * scale);
    let areas = below.split_evenly((panels.len(), 1));
    let names = panels.iter().flat_map(|p| p.series.iter().map(|c| &c.name));
    let legend = legend_width(names);
    for (i, (area, panel)) in areas.iter().zip(panels).enumerate() {
        draw_panel(area, table.time(), panel, i + 1 == panels.len(), legend, scale)?;
    }
    root.present()
}

/// Width of the column at the right that holds the names.
fn legend_width<'a>(names: impl Iterator<Item = &'a String>) -> u32 {
    let longest = names.map(|n| n.chars().count()).max().unwrap_or(0).min(LEGEND_LETTERS) as u32;
    60 + 8 * longest
}

/// Letters of a name that the legend shows.
const LEGEND_LETTERS: usize = 26;

fn shorten(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.into();
    }
    let kept: String = text.chars().take(letters - 1).collect();
    format!("{kept}…")
}

fn draw_panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    time: &[f64],
    panel: &Panel,
    last: bool,
    legend: u32,
    scale: u32,
) -> Drawn<B>
where
    B::ErrorType: 'static,
{
    let width = area.dim_in_pixel().0;
    let (left, right) = area.split_horizontally(width - legend * scale);
    let values = panel.series.iter().flat_map(|c| c.values.iter().copied());
    let (times, values) = (range(time.iter().copied(), 0.0), range(values, 0.06));
    let font = |size: u32| (FONT, size * scale).into_font().color(&INK);
    let mut chart = ChartBuilder::on(&left)
        .margin_top(10 * scale)
        .margin_left(14 * scale)
        .margin_bottom(if last { 8 } else { 0 } * scale)
        .margin_right(6 * scale)
        .set_label_area_size(LabelAreaPosition::Left, 78 * scale)
        .set_label_area_size(LabelAreaPosition::Bottom, if last { 48 } else { 28 } * scale)
        .build_cartesian_2d(times.clone(), values.clone())?;
    let time_text = |x: &f64| tick(*x, &times);
    let value_text = |x: &f64| tick(*x, &values);
    let mut mesh = chart.configure_mesh();
    mesh.x_labels(9)
        .y_labels(7)
        .max_light_lines(1)
        .bold_line_style(GRID.stroke_width(scale))
        .light_line_style(TRANSPARENT)
        .axis_style(INK.stroke_width(scale))
        .label_style(font(13))
        .axis_desc_style(font(14))
        .x_label_formatter(&time_text)
        .y_label_formatter(&value_text)
        .y_desc(panel.label.clone())
        .set_all_tick_mark_size(4 * scale);
    if last {
        mesh.x_desc("time [s]");
    }
    mesh.draw()?;
    for (column, color) in panel.series.iter().zip(colors(panel)) {
        let style = color.stroke_width(2 * scale);
        for line in lines(time, &column.values) {
            match line.as_slice() {
                [lone] => {
                    chart.draw_series([Circle::new(*lone, 3 * scale, style.filled())])?;
                }
                _ if column.beside => {
                    chart.draw_series(DashedLineSeries::new(line, DASH * scale, DASH * scale, style))?;
                }
                _ => {
                    chart.draw_series(LineSeries::new(line, style))?;
                }
            }
        }
    }
    draw_legend(&right, panel, scale)
}

/// A colour for each series; a curve to compare with has a dark shade of that of the series before it.
fn colors(panel: &Panel) -> Vec<RGBColor> {
    let mut own = 0;
    let color = |column: &&Column| {
        own += usize::from(!column.beside);
        let RGBColor(r, g, b) = COLORS[own.saturating_sub(1) % COLORS.len()];
        let shade = |c: u8| if column.beside { c / 3 } else { c };
        RGBColor(shade(r), shade(g), shade(b))
    };
    panel.series.iter().map(color).collect()
}

fn draw_legend<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &Panel, scale: u32) -> Drawn<B>
where
    B::ErrorType: 'static,
{
    let s = scale as i32;
    let style = (FONT, 13 * scale).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
    for (i, (column, color)) in panel.series.iter().zip(colors(panel)).enumerate() {
        let y = (22 + 20 * i as i32) * s;
        let dash = DASH as i32 * s;
        let ends = if column.beside {
            vec![(8 * s, 8 * s + dash), (8 * s + 2 * dash, 8 * s + 3 * dash)]
        } else {
            vec![(8 * s, 30 * s)]
        };
        for (from, to) in ends {
            area.draw(&PathElement::new(vec![(from, y), (to, y)], color.stroke_width(2 * scale)))?;
        }
        area.draw(&Text::new(shorten(&column.name, LEGEND_LETTERS), (36 * s, y), style.clone()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let time: Vec<f64> = (0..400).map(|i| i as f64 * 0.0025).collect();
        let column = |name: &str, unit: &str, axis, f: &dyn Fn(f64) -> f64| Column {
            name: name.into(),
            unit: unit.into(),
            axis,
            values: time.iter().map(|&t| f(t)).collect(),
            beside: false,
        };
        let height = |t: f64| (1.0 - 4.9 * t * t).abs();
        Table {
            columns: vec![
                column("time", "s", "", &|t| t),
                column("KINETIC", "J", "energy", &|t| 48.0 * t * t),
                column("EXTERNAL", "J", "energy", &|t| 50.0 - 48.0 * t * t),
                column("CONTACT", "J", "energy", &|t| if t > 0.45 { -12.0 } else { 0.0 }),
                column("ball=CZ@label:BALL(0,0,1)", "m", "coordinate", &height),
                column("CONS", "1", "constraints", &|t| if t > 0.45 { 1.0 } else { f64::NAN }),
            ],
        }
    }

    #[test]
    fn curves_to_compare_with_have_a_dark_shade_of_their_namesake() {
        let mut table = table();
        table.columns.insert(2, Column { beside: true, ..table.columns[1].clone() });
        let panels = panels(&table);
        assert_eq!(colors(&panels[0])[..3], [COLORS[0], RGBColor(0, 38, 59), COLORS[1]]);
    }

    #[test]
    fn svg_has_title_axes_and_legend() {
        let svg = String::from_utf8(picture(&table(), "ball impact", Picture::Svg).unwrap()).unwrap();
        for text in ["ball impact", "time [s]", "energy [J]", "coordinate [m]", "constraints", "KINETIC", "CONS"] {
            assert!(svg.contains(text), "no '{text}'");
        }
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn png_has_the_promised_size_and_colours() {
        let bytes = picture(&table(), "ball impact", Picture::Png).unwrap();
        if let Some(path) = std::env::var_os("SF_KEEP_PLOT") {
            std::fs::write(path, &bytes).unwrap();
        }
        let mut reader = png::Decoder::new(&bytes[..]).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (1920, 2 * (44 + 3 * 300)));
        let blue = pixels.chunks(3).filter(|p| p == &[0, 114, 178]).count();
        assert!(blue > 3000, "the first series is drawn: {blue} blue pixels");
    }
}
