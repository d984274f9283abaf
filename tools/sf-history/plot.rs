//! A line plot of a history, as SVG, PDF or PNG: one panel for each kind of quantity, above a common time axis.

use std::path::Path;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Text};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{register_font, FontStyle};

use super::axis::{lines, range};
use super::pdf::Page;
use super::table::{Column, Table};
use crate::cli::{CliError, Exit};
use crate::draw::image::{average, encode_png};
use crate::draw::ticks::Ticks;

/// Size of the picture, in points of the drawing.
const WIDTH: u32 = 960;
const TITLE_HEIGHT: u32 = 44;
const PANEL_HEIGHT: u32 = 300;
const LONE_PANEL_HEIGHT: u32 = 480;
/// PNG pixels for each point, and samples for each pixel in either direction.
const PIXELS: u32 = 2;
const SAMPLES: u32 = 2;
/// Places on a page of PDF for each point.
const PARTS: u32 = 10;
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
    Pdf,
    Png,
}

impl Picture {
    /// By the extension; usage error for others.
    pub fn of(path: &Path) -> Result<Self, CliError> {
        match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("svg") => Ok(Picture::Svg),
            Some("pdf") => Ok(Picture::Pdf),
            Some("png") => Ok(Picture::Png),
            _ => Err(CliError::usage(format!(
                "--plot {}: unknown kind of picture; name it .svg, .pdf or .png",
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

/// How a table is drawn.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    pub title: String,
    /// Column of the horizontal axis; time without it.
    pub x: Option<String>,
    /// Logarithmic axes, horizontal and vertical.
    pub log: [bool; 2],
}

/// The horizontal axis.
struct Across<'a> {
    label: String,
    values: &'a [f64],
    counts: bool,
    /// Whether curves may go back and cross themselves.
    returns: bool,
}

impl<'a> Across<'a> {
    fn of(table: &'a Table, chart: &Chart) -> Across<'a> {
        let column = chart.x.as_ref().and_then(|x| table.columns.iter().find(|c| c.name == *x && !c.axis.is_empty()));
        match column {
            Some(c) => Across {
                label: format!("{}{}", c.name, unit_text(&c.unit)),
                values: &c.values,
                counts: c.counts,
                returns: true,
            },
            None => Across { label: "time [s]".into(), values: table.time(), counts: false, returns: false },
        }
    }
}

/// An axis with its own ticks.
struct Scale {
    range: std::ops::Range<f64>,
    ticks: Ticks,
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = (value - self.range.start) / (self.range.end - self.range.start);
        (f64::from(from) + f64::from(to - from) * part).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.values.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.text(*value)
    }
}

/// Logarithms where the axis shows them; there is nothing to draw for what is not positive.
fn placed(values: &[f64], log: bool) -> Vec<f64> {
    values
        .iter()
        .map(|&x| {
            if !log {
                x
            } else if x > 0.0 {
                x.log10()
            } else {
                f64::NAN
            }
        })
        .collect()
}

fn unit_text(unit: &str) -> String {
    if unit == "1" {
        String::new()
    } else {
        format!(" [{unit}]")
    }
}

/// The picture of a table as the bytes of a file.
pub fn picture(table: &Table, chart: &Chart, kind: Picture) -> Result<Vec<u8>, CliError> {
    let fail = |e: String| CliError::new(Exit::Internal, format!("plot: {e}"));
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular()).map_err(|_| fail("the font is unusable".into()))?;
    register_font(FONT, FontStyle::Bold, dejavu::sans::bold()).map_err(|_| fail("the font is unusable".into()))?;
    let panels = panels(table, chart.x.as_deref());
    let each = if panels.len() == 1 { LONE_PANEL_HEIGHT } else { PANEL_HEIGHT };
    let (width, height) = (WIDTH, TITLE_HEIGHT + each * panels.len() as u32);
    match kind {
        Picture::Svg => {
            let mut text = String::new();
            {
                let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
                draw(&root, table, &panels, chart, 1).map_err(|e| fail(e.to_string()))?;
            }
            Ok(text.into_bytes())
        }
        Picture::Pdf => {
            let mut page = Page::new((width, height), PARTS).map_err(fail)?;
            {
                let root = (&mut page).into_drawing_area();
                draw(&root, table, &panels, chart, PARTS).map_err(|e| fail(e.to_string()))?;
            }
            page.finish(&chart.title).map_err(fail)
        }
        Picture::Png => {
            let scale = PIXELS * SAMPLES;
            let (w, h) = (width * scale, height * scale);
            let mut pixels = vec![255; (w * h * 3) as usize];
            {
                let root = BitMapBackend::with_buffer(&mut pixels, (w, h)).into_drawing_area();
                draw(&root, table, &panels, chart, scale).map_err(|e| fail(e.to_string()))?;
            }
            let pixels = average(&pixels, w as usize, SAMPLES as usize);
            encode_png(&pixels, width * PIXELS, height * PIXELS).map_err(|e| fail(e.to_string()))
        }
    }
}

fn panels<'a>(table: &'a Table, x: Option<&str>) -> Vec<Panel<'a>> {
    let mut panels: Vec<Panel> = Vec::new();
    for column in table.columns.iter().filter(|c| !c.axis.is_empty() && Some(c.name.as_str()) != x) {
        let label = format!("{}{}", column.axis, unit_text(&column.unit));
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
    chart: &Chart,
    scale: u32,
) -> Drawn<B>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    let style = (FONT, 17 * scale, FontStyle::Bold).into_font().color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
    let middle = ((WIDTH * scale / 2) as i32, (TITLE_HEIGHT * scale / 2 + 4 * scale) as i32);
    root.draw(&Text::new(shorten(&chart.title, 90), middle, style))?;
    let (_, below) = root.split_vertically(TITLE_HEIGHT * scale);
    let areas = below.split_evenly((panels.len(), 1));
    let names = panels.iter().flat_map(|p| p.series.iter().map(|c| &c.name));
    let legend = legend_width(names);
    let across = Across::of(table, chart);
    for (i, (area, panel)) in areas.iter().zip(panels).enumerate() {
        draw_panel(area, &across, panel, chart.log, i + 1 == panels.len(), legend, scale)?;
    }
    root.present()
}

/// Width of the column at the right that holds the names.
fn legend_width<'a>(names: impl Iterator<Item = &'a String>) -> u32 {
    let longest = names.map(|n| n.chars().count()).max().unwrap_or(0).min(LEGEND_LETTERS) as u32;
    46 + 15 * longest / 2
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
    across: &Across,
    panel: &Panel,
    [log_x, log_y]: [bool; 2],
    last: bool,
    legend: u32,
    scale: u32,
) -> Drawn<B>
where
    B::ErrorType: 'static,
{
    let width = area.dim_in_pixel().0;
    let (left, right) = area.split_horizontally(width - legend * scale);
    let times = placed(across.values, log_x);
    let series: Vec<Vec<f64>> = panel.series.iter().map(|c| placed(&c.values, log_y)).collect();
    let (width_axis, height_axis) = (
        range(times.iter().copied(), if across.returns { 0.03 } else { 0.0 }),
        range(series.iter().flatten().copied(), 0.06),
    );
    let ticks = |axis: &std::ops::Range<f64>, count, counts, log| {
        if log {
            Ticks::logarithmic(axis, count)
        } else {
            Ticks::linear(axis, count, counts)
        }
    };
    let counts = panel.series.iter().all(|c| c.counts);
    let (x_ticks, y_ticks) = (ticks(&width_axis, 8, across.counts, log_x), ticks(&height_axis, 6, counts, log_y));
    let font = |size: u32| (FONT, size * scale).into_font().color(&INK);
    let mut chart = ChartBuilder::on(&left)
        .margin_top(10 * scale)
        .margin_left(14 * scale)
        .margin_bottom(if last { 8 } else { 0 } * scale)
        .margin_right(6 * scale)
        .set_label_area_size(LabelAreaPosition::Left, 78 * scale)
        .set_label_area_size(LabelAreaPosition::Bottom, if last { 48 } else { 28 } * scale)
        .build_cartesian_2d(
            Scale { range: width_axis, ticks: x_ticks },
            Scale { range: height_axis, ticks: y_ticks },
        )?;
    let mut mesh = chart.configure_mesh();
    mesh.x_labels(9)
        .y_labels(7)
        .max_light_lines(1)
        .bold_line_style(GRID.stroke_width(scale))
        .light_line_style(TRANSPARENT)
        .axis_style(INK.stroke_width(scale))
        .label_style(font(13))
        .axis_desc_style(font(14))
        .y_desc(panel.label.clone())
        .set_all_tick_mark_size(4 * scale);
    if last {
        mesh.x_desc(across.label.clone());
    }
    mesh.draw()?;
    for ((column, values), color) in panel.series.iter().zip(&series).zip(colors(panel)) {
        let style = color.stroke_width(2 * scale);
        for line in lines(&times, values) {
            match line.as_slice() {
                [lone] => {
                    chart.draw_series([Circle::new(*lone, 3 * scale, style.filled())])?;
                }
                _ if column.beside => {
                    chart.draw_series(DashedLineSeries::new(line, DASH * scale, DASH * scale, style))?;
                }
                _ => {
                    for piece in pieces(&line, across.returns) {
                        chart.draw_series(LineSeries::new(piece.iter().copied(), style))?;
                    }
                }
            }
        }
    }
    draw_legend(&right, panel, scale)
}

/// Points of a piece of a curve that may cross itself: the bitmap leaves out what one line covers twice.
const PIECE: usize = 16;

/// A curve in pieces that share their ends, so that none meets itself.
fn pieces(line: &[(f64, f64)], returns: bool) -> Vec<&[(f64, f64)]> {
    if !returns {
        return vec![line];
    }
    let starts = (0..line.len().saturating_sub(1)).step_by(PIECE);
    starts.map(|start| &line[start..line.len().min(start + PIECE + 1)]).collect()
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
            counts: false,
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

    fn chart() -> Chart {
        Chart { title: "ball impact".into(), ..Chart::default() }
    }

    #[test]
    fn another_quantity_and_logarithms_can_be_the_axes() {
        let chart = Chart { x: Some("KINETIC".into()), log: [false, true], ..chart() };
        let svg = String::from_utf8(picture(&table(), &chart, Picture::Svg).unwrap()).unwrap();
        assert!(svg.contains("KINETIC [J]") && !svg.contains("time [s]"), "{svg}");
        assert!(svg.contains("0.1") && svg.contains("0.01"), "powers of ten");
    }

    #[test]
    fn curves_to_compare_with_have_a_dark_shade_of_their_namesake() {
        let mut table = table();
        table.columns.insert(2, Column { beside: true, ..table.columns[1].clone() });
        let panels = panels(&table, None);
        assert_eq!(colors(&panels[0])[..3], [COLORS[0], RGBColor(0, 38, 59), COLORS[1]]);
    }

    #[test]
    fn svg_has_title_axes_and_legend() {
        let svg = String::from_utf8(picture(&table(), &chart(), Picture::Svg).unwrap()).unwrap();
        for text in ["ball impact", "time [s]", "energy [J]", "coordinate [m]", "constraints", "KINETIC", "CONS"] {
            assert!(svg.contains(text), "no '{text}'");
        }
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    /// The page says what its texts are: numbers of glyphs, and a table of the letters that they stand for.
    #[test]
    fn text_of_a_pdf_is_text() {
        let bytes = picture(&table(), &chart(), Picture::Pdf).unwrap();
        let pdf = String::from_utf8_lossy(&bytes);
        assert!(pdf.starts_with("%PDF-1.7") && pdf.trim_end().ends_with("%%EOF"));
        assert!(pdf.contains("/MediaBox [0 0 960 944]") && pdf.contains("/Title (ball impact)"));
        let used: String = {
            let table = pdf.split("beginbfchar").skip(1).map(|part| part.split("endbfchar").next().unwrap_or(""));
            let codes = table.flat_map(str::lines).filter_map(|line| line.rsplit_once('<')?.1.strip_suffix('>'));
            let letters = codes.filter_map(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
            letters.collect()
        };
        assert!(pdf.contains("/SOLFEC+DejaVuSans-Bold"));
        assert!("ball impact time [s] KINETIC CONS 0123456789".chars().all(|c| used.contains(c)), "{used}");
        assert!(pdf.contains(" Tj") && !pdf.contains("/Image"), "text is shown as text");
        assert_eq!(picture(&table(), &chart(), Picture::Pdf).unwrap(), bytes);
    }

    #[test]
    fn png_has_the_promised_size_and_colours() {
        let bytes = picture(&table(), &chart(), Picture::Png).unwrap();
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
