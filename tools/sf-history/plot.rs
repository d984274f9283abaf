//! A line plot of a history, as SVG or PNG: one panel for each kind of quantity, above a common time axis.

use std::path::Path;

use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Text};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{register_font, FontStyle};

use super::table::{Column, Table};
use crate::cli::{number, CliError, Exit};

/// Size of the picture, in points of the drawing.
const WIDTH: u32 = 960;
const TITLE_HEIGHT: u32 = 44;
const PANEL_HEIGHT: u32 = 300;
const LONE_PANEL_HEIGHT: u32 = 480;
/// PNG pixels for each point, and samples for each pixel in either direction.
const PIXELS: u32 = 2;
const SAMPLES: u32 = 2;
const FONT: &str = "sans-serif";
/// Points of a series above which it is thinned to its extremes.
const DENSE: usize = 4000;
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

/// Range of the finite values, widened by `margin` of its length; never empty.
fn range(values: impl Iterator<Item = f64>, margin: f64) -> std::ops::Range<f64> {
    let (low, high) =
        values.filter(|x| x.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if low > high {
        return 0.0..1.0;
    }
    let length = high - low;
    if length <= f64::EPSILON * low.abs().max(high.abs()) {
        let half = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        return low - half..low + half;
    }
    low - margin * length..high + margin * length
}

/// Text of a tick: nine significant digits, of the axis as of the number, swallow the noise of adding up steps.
fn tick(x: f64, axis: &std::ops::Range<f64>) -> String {
    let x = if x.abs() < 1e-9 * (axis.end - axis.start) { 0.0 } else { x };
    let rounded: f64 = format!("{x:.8e}").parse().unwrap_or(x);
    let size = rounded.abs();
    let text = if size != 0.0 && !(1e-3..1e6).contains(&size) { format!("{rounded:e}") } else { number(rounded) };
    if text == "-0" {
        return "0".into();
    }
    text.replace('-', "\u{2212}")
}

/// Unbroken runs of finite points, dense ones thinned to their extremes.
fn lines(time: &[f64], values: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let points: Vec<(f64, f64)> = time.iter().copied().zip(values.iter().copied()).collect();
    points.split(|p| !p.1.is_finite()).filter(|run| !run.is_empty()).map(thin).collect()
}

/// Extremes of each of a thousand stretches, in order of time.
fn thin(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if run.len() <= DENSE {
        return run.into();
    }
    let mut kept = Vec::new();
    for stretch in run.chunks(run.len().div_ceil(DENSE / 4)) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let low = stretch.iter().min_by(by_value);
        let high = stretch.iter().max_by(by_value);
        let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(pair);
    }
    kept
}

/// Means of squares of `n × n` samples of an RGB image of this width.
pub fn average(pixels: &[u8], width: usize, n: usize) -> Vec<u8> {
    let (columns, rows) = (width / n, pixels.len() / (3 * width) / n);
    let mut out = Vec::with_capacity(columns * rows * 3);
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..3 {
                let sample = |k: usize| pixels[((row * n + k / n) * width + column * n + k % n) * 3 + channel] as usize;
                let sum: usize = (0..n * n).map(sample).sum();
                out.push((sum / (n * n)) as u8);
            }
        }
    }
    out
}

/// An RGB image as a file.
pub fn encode_png(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
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

    #[test]
    fn ticks_are_clean() {
        assert_eq!(tick(0.1 + 0.2, &(0.0..1.0)), "0.3");
        assert_eq!(tick(-2.5e-7, &(-1e-6..0.0)), "\u{2212}2.5e\u{2212}7");
        assert_eq!(tick(-1e-30 * 0.0, &(0.0..1.0)), "0");
        assert_eq!(tick(4.136e-25, &(-4e-9..0.0)), "0");
        assert_eq!(tick(1500.0, &(0.0..2e3)), "1500");
        assert_eq!(tick(2e9, &(0.0..2e9)), "2e9");
    }

    #[test]
    fn gaps_break_lines_and_dense_series_keep_their_extremes() {
        let time: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut values: Vec<f64> = time.iter().map(|t| t.sin()).collect();
        values[55_555] = 7.0;
        values[10] = f64::NAN;
        let lines = lines(&time, &values);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].len() <= DENSE);
        assert!(lines[1].contains(&(55_555.0, 7.0)));
        assert!(lines[1].windows(2).all(|p| p[0].0 <= p[1].0));
    }
}
