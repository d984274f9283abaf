//! Performance profiles after Dolan and Moré: the share of problems solved within a factor of the shortest time.

use std::error::Error;

use plotters::coord::Shift;
use plotters::element::{PathElement, Text};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{register_font, FontStyle};
use solfec_tools::draw::image::{average, encode_png};
use solfec_tools::history::plot::COLORS;

use crate::{fastest, Curve, SOLVERS};

/// Size in points, pixels per point, and samples per pixel in each direction.
const SIZE: (u32, u32) = (1120, 860);
const PIXELS: u32 = 2;
const SAMPLES: u32 = 2;
const SCALE: u32 = PIXELS * SAMPLES;
const LEGEND: u32 = 170;
/// The largest factor shown.
const WIDEST: f64 = 1e4;
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);
const DASH: u32 = 7;

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// One set of problems at one tolerance.
pub struct Panel {
    pub title: String,
    pub curves: Vec<Curve>,
}

/// The panels in two columns, all with the same curves, as PNG.
pub fn profiles(panels: &[Panel]) -> Result<Vec<u8>, Box<dyn Error>> {
    for (style, bytes) in [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())] {
        register_font(FONT, style, bytes).map_err(|_| "the font is unusable")?;
    }
    let (width, height) = (SIZE.0 * SCALE, SIZE.1 * SCALE);
    let mut pixels = vec![255; (width * height * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let (charts, legend) = root.split_horizontally(width - LEGEND * SCALE);
        for (k, area) in charts.split_evenly((panels.len().div_ceil(2), 2)).iter().enumerate() {
            draw(area, &panels[k], k + 2 >= panels.len(), k % 2 == 0)?;
        }
        names(&legend, &panels[0].curves)?;
        root.present()?;
    }
    let pixels = average(&pixels, width as usize, SAMPLES as usize);
    Ok(encode_png(&pixels, SIZE.0 * PIXELS, SIZE.1 * PIXELS)?)
}

/// `last`: in its column; `first`: in its row.
fn draw(area: &Area, panel: &Panel, last: bool, first: bool) -> Result<(), Box<dyn Error>> {
    let font = |size: u32| (FONT, size * SCALE).into_font().color(&INK);
    let curves = &panel.curves;
    let mut chart = ChartBuilder::on(area)
        .margin(10 * SCALE)
        .margin_right(18 * SCALE)
        .caption(&panel.title, (FONT, 14 * SCALE, FontStyle::Bold).into_font().color(&INK))
        .set_label_area_size(LabelAreaPosition::Left, 62 * SCALE)
        .set_label_area_size(LabelAreaPosition::Bottom, 44 * SCALE)
        .build_cartesian_2d((1.0..WIDEST).log_scale(), 0.0..1.01)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_labels(5)
        .y_labels(11)
        .max_light_lines(1)
        .bold_line_style(GRID.stroke_width(SCALE))
        .light_line_style(TRANSPARENT)
        .axis_style(INK.stroke_width(SCALE))
        .label_style(font(13))
        .axis_desc_style(font(14))
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| format!("{:.0} %", 100.0 * y))
        .set_all_tick_mark_size(4 * SCALE);
    if first {
        mesh.y_desc("share of the problems");
    }
    if last {
        mesh.x_desc("time over the shortest of all");
    }
    mesh.draw()?;
    let least = fastest(curves.iter());
    for (curve, style) in curves.iter().zip(styles(curves)) {
        let line = steps(curve, &least);
        if curve.ours {
            chart.draw_series(LineSeries::new(line, style))?;
        } else {
            chart.draw_series(DashedLineSeries::new(line, DASH * SCALE, DASH * SCALE, style))?;
        }
    }
    Ok(())
}

/// Corners of the step function.
fn steps(curve: &Curve, least: &[f64]) -> Vec<(f64, f64)> {
    let mut factors: Vec<f64> = curve.times.iter().zip(least).filter_map(|(t, least)| Some((*t)? / least)).collect();
    factors.sort_by(f64::total_cmp);
    factors.retain(|x| *x < WIDEST);
    let share = |k: usize| k as f64 / curve.times.len() as f64;
    let mut line = vec![(1.0, share(0))];
    for (k, &factor) in factors.iter().enumerate() {
        line.extend([(factor, share(k)), (factor, share(k + 1))]);
    }
    line.push((WIDEST, share(factors.len())));
    line
}

/// Our methods in colours, AUTO in black; methods of Siconos in the colour of the nearest relative.
fn styles(curves: &[Curve]) -> Vec<ShapeStyle> {
    let kin = |name: &str| match name {
        "NSGS" => "GAUSS_SEIDEL",
        "PROX" => "PROXIMAL_NEWTON",
        "ADMM-BAL" => "ADMM",
        _ => "AUTO",
    };
    let style = |curve: &Curve| {
        let name = if curve.ours { &curve.name } else { kin(&curve.name) };
        match SOLVERS.iter().position(|s| *s == name) {
            Some(k) if name != "AUTO" => COLORS[k % COLORS.len()].stroke_width(2 * SCALE),
            _ => BLACK.stroke_width(3 * SCALE),
        }
    };
    curves.iter().map(style).collect()
}

fn names(area: &Area, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    let s = SCALE as i32;
    let font = (FONT, 13 * SCALE).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
    let ours = curves.iter().filter(|c| c.ours).count();
    for (k, (curve, style)) in curves.iter().zip(styles(curves)).enumerate() {
        let y = (60 + 22 * k as i32 + if k >= ours { 16 } else { 0 }) * s;
        let dash = DASH as i32 * s;
        let ends = if curve.ours { vec![(0, 3 * dash)] } else { vec![(0, dash), (2 * dash, 3 * dash)] };
        for (from, to) in ends {
            area.draw(&PathElement::new(vec![(from, y), (to, y)], style))?;
        }
        let name = if curve.ours { curve.name.clone() } else { format!("Siconos {}", curve.name) };
        area.draw(&Text::new(name, (28 * s, y), font.clone()))?;
    }
    Ok(())
}
