//! What stands around a scene: axes with lengths along three edges of its box, and the legend.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{register_font, FontStyle};
use solfec::math::Vec3;

use super::camera::{Camera, Room};
use super::ticks::Ticks;
use super::{color, pale};

const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
/// In pixels: text, tick, margin, square of the legend, room for the texts of an axis.
const TEXT: usize = 15;
const TICK: usize = 7;
const MARGIN: usize = 24;
const SQUARE: usize = 14;
const AXIS_ROOM: usize = 64;
/// Entries of the legend; of more, the last line tells the number.
const ENTRIES: usize = 14;
/// Width of a letter in multiples of the size of the text, and at most so many letters of a name.
const LETTER: f64 = 0.62;
const LETTERS: usize = 28;
/// Ticks of the longest axis, about.
const TICKS: f64 = 5.0;

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// What stays free for axes and legend [samples].
pub fn room(axes: bool, groups: Option<&[String]>, samples: usize) -> Room {
    let side = if axes { MARGIN + AXIS_ROOM } else { MARGIN };
    let right = groups.map_or(side, |groups| side.max(legend_width(groups)));
    [side, right, MARGIN, side].map(|pixels| (pixels * samples) as f64)
}

fn legend_width(groups: &[String]) -> usize {
    let letters = groups.iter().take(ENTRIES).map(|name| name.chars().count().min(LETTERS)).max().unwrap_or(0);
    2 * MARGIN + 2 * SQUARE + (letters as f64 * LETTER * TEXT as f64) as usize
}

/// Draws axes of the box and the legend over the samples.
///
/// # Errors
/// The font cannot be used.
pub fn overlay(
    pixels: &mut [u8],
    size: [usize; 2],
    samples: usize,
    camera: &Camera,
    bounds: Option<(Vec3, Vec3)>,
    groups: Option<&[String]>,
) -> Result<(), String> {
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular()).map_err(|_| "the font is unusable")?;
    let area = BitMapBackend::with_buffer(pixels, (size[0] as u32, size[1] as u32)).into_drawing_area();
    if let Some(bounds) = bounds {
        axes(&area, camera, bounds, samples)?;
    }
    if let Some(groups) = groups {
        legend(&area, groups, size, samples)?;
    }
    Ok(())
}

fn style(samples: usize) -> TextStyle<'static> {
    (FONT, (TEXT * samples) as f64).into_font().color(&INK)
}

fn line(area: &Area, from: [f64; 2], to: [f64; 2], samples: usize) -> Result<(), String> {
    let at = |p: [f64; 2]| (p[0].round() as i32, p[1].round() as i32);
    let stroke = INK.stroke_width(samples as u32);
    area.draw(&PathElement::new(vec![at(from), at(to)], stroke)).map_err(|e| e.to_string())
}

fn text(area: &Area, words: &str, at: [f64; 2], (h, v): (HPos, VPos), samples: usize) -> Result<(), String> {
    let style = style(samples).pos(Pos::new(h, v));
    area.draw_text(words, &style, (at[0].round() as i32, at[1].round() as i32)).map_err(|e| e.to_string())
}

fn axes(area: &Area, camera: &Camera, (low, high): (Vec3, Vec3), samples: usize) -> Result<(), String> {
    let longest = (high - low).max();
    let middle = flat(camera, &(0.5 * (low + high)));
    for axis in 0..3 {
        let length = high[axis] - low[axis];
        let (from, to) = edge(camera, axis, low, high);
        let (a, b) = (flat(camera, &from), flat(camera, &to));
        let seen = (b[0] - a[0]).hypot(b[1] - a[1]);
        // An axis that is seen end-on has no place for ticks.
        if seen < (4 * TEXT * samples) as f64 || length <= 0.0 {
            continue;
        }
        line(area, a, b, samples)?;
        // Ticks point away from the middle of the picture, across the axis.
        let across = [(b[1] - a[1]) / seen, -(b[0] - a[0]) / seen];
        let halfway = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        let side = across[0] * (halfway[0] - middle[0]) + across[1] * (halfway[1] - middle[1]);
        let out = if side < 0.0 { across.map(|x| -x) } else { across };
        let anchor = anchor(out);
        let count = ((TICKS * length / longest).round() as usize).clamp(2, TICKS as usize);
        let ticks = Ticks::linear(&(low[axis]..high[axis]), count, false);
        let step = |at: [f64; 2], by: f64| [at[0] + out[0] * by, at[1] + out[1] * by];
        for &value in &ticks.values {
            let mut x = from;
            x[axis] = value;
            let at = flat(camera, &x);
            line(area, at, step(at, (TICK * samples) as f64), samples)?;
            text(area, &ticks.text(value), step(at, (2 * TICK * samples) as f64), anchor, samples)?;
        }
        let name = ["x [m]", "y [m]", "z [m]"][axis];
        text(area, name, step(halfway, ((2 * TICK + 2 * TEXT) * samples) as f64), anchor, samples)?;
    }
    Ok(())
}

fn flat(camera: &Camera, x: &Vec3) -> [f64; 2] {
    let at = camera.place(x);
    [at[0], at[1]]
}

/// Of the four edges of the box along an axis the lowest one in the picture; for z the one farthest to the left.
fn edge(camera: &Camera, axis: usize, low: Vec3, high: Vec3) -> (Vec3, Vec3) {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut best: Option<(f64, Vec3, Vec3)> = None;
    for corner in 0..4 {
        let mut from = low;
        from[j] = if corner & 1 == 0 { low[j] } else { high[j] };
        from[k] = if corner & 2 == 0 { low[k] } else { high[k] };
        let mut to = from;
        to[axis] = high[axis];
        let (a, b) = (flat(camera, &from), flat(camera, &to));
        let rank = if axis == 2 { -(a[0] + b[0]) } else { a[1] + b[1] };
        if best.as_ref().is_none_or(|found| rank > found.0) {
            best = Some((rank, from, to));
        }
    }
    best.map_or((low, high), |(_, from, to)| (from, to))
}

/// Where a text stands that begins at the end of a tick in this direction.
fn anchor(out: [f64; 2]) -> (HPos, VPos) {
    let h = if out[0] > 0.5 {
        HPos::Left
    } else if out[0] < -0.5 {
        HPos::Right
    } else {
        HPos::Center
    };
    let v = if out[1] > 0.5 {
        VPos::Top
    } else if out[1] < -0.5 {
        VPos::Bottom
    } else {
        VPos::Center
    };
    (h, v)
}

fn legend(area: &Area, groups: &[String], size: [usize; 2], samples: usize) -> Result<(), String> {
    let (square, gap) = ((SQUARE * samples) as i32, (TEXT * samples * 3 / 2) as i32);
    let x = size[0] as i32 - (legend_width(groups) * samples) as i32 + (MARGIN * samples) as i32;
    let top = (MARGIN * samples) as i32;
    for (k, name) in groups.iter().take(ENTRIES).enumerate() {
        let y = top + k as i32 * gap;
        let [r, g, b] = pale(color(k)).map(|c| c as u8);
        let fill = RGBColor(r, g, b).filled();
        area.draw(&Rectangle::new([(x, y), (x + square, y + square)], fill)).map_err(|e| e.to_string())?;
        let shown: String = name.chars().take(LETTERS).collect();
        let at = [f64::from(x + 2 * square), f64::from(y + square / 2)];
        text(area, &shown, at, (HPos::Left, VPos::Center), samples)?;
    }
    if groups.len() > ENTRIES {
        let at = [f64::from(x + 2 * square), f64::from(top + ENTRIES as i32 * gap)];
        text(area, &format!("and {} more", groups.len() - ENTRIES), at, (HPos::Left, VPos::Top), samples)?;
    }
    Ok(())
}
