//! Pictures of bodies without a graphics card: polygons with a z-buffer, two lights, edges, axes with lengths, a legend;
//! smoothed by drawing larger and averaging. [`Scene`] is what is drawn, [`View`] from where and how.
//!
//! [`ticks`] and [`image`] also serve the plots of sf-history.

mod camera;
mod frame;
pub mod image;
mod solid;
pub mod ticks;

use solfec::math::Vec3;

use camera::Camera;

/// The palette of Okabe and Ito (2008), which colour-blind readers can distinguish, without yellow and black.
pub const PALETTE: [[u8; 3]; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [120, 120, 120]];

/// What is drawn.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// [m]
    pub points: Vec<Vec3>,
    pub polygons: Vec<Polygon>,
    /// Names of groups for the legend, in their order.
    pub groups: Vec<String>,
}

/// A plane or nearly plane polygon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polygon {
    /// Rows of the points.
    pub corners: Vec<u32>,
    /// Row of the groups, which decides the colour.
    pub group: usize,
}

/// From where and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Pixels.
    pub size: [usize; 2],
    /// Direction towards the eye: about z from x, and above the horizon [degree].
    pub azimuth: f64,
    pub elevation: f64,
    /// Parallel rays instead of perspective.
    pub orthographic: bool,
    pub edges: bool,
    pub axes: bool,
    pub legend: bool,
}

impl Default for View {
    fn default() -> Self {
        View {
            size: [1200, 900],
            azimuth: -60.0,
            elevation: 25.0,
            orthographic: false,
            edges: true,
            axes: true,
            legend: true,
        }
    }
}

/// Samples for each pixel in either direction.
const SAMPLES: usize = 3;
/// Background.
const PAPER: [u8; 3] = [255, 255, 255];

/// How much of the colour of a surface is white.
const WHITE: f64 = 0.35;

/// A colour made lighter: surfaces are lighter than the lines of a plot.
fn pale(color: [u8; 3]) -> [f64; 3] {
    color.map(|c| f64::from(c) * (1.0 - WHITE) + 255.0 * WHITE)
}

/// The colour of a group.
fn color(group: usize) -> [u8; 3] {
    PALETTE[group % PALETTE.len()]
}

/// A picture as the bytes of a PNG file.
///
/// # Errors
/// There is nothing to draw, or the picture cannot be encoded.
pub fn picture(scene: &Scene, view: &View) -> Result<Vec<u8>, String> {
    let finite = |polygon: &&Polygon| {
        let corner = |n: &u32| scene.points.get(*n as usize).is_some_and(|x| x.iter().all(|x| x.is_finite()));
        polygon.corners.len() > 2 && polygon.corners.iter().all(corner)
    };
    let polygons: Vec<&Polygon> = scene.polygons.iter().filter(finite).collect();
    let used = || polygons.iter().flat_map(|p| &p.corners).map(|&n| scene.points[n as usize]);
    let Some(first) = used().next() else { return Err("there is no face to be drawn".into()) };
    let (low, high) = used().fold((first, first), |(low, high), x| (low.inf(&x), high.sup(&x)));
    let size = view.size.map(|n| n * SAMPLES);
    let legend = view.legend && scene.groups.len() > 1;
    let room = frame::room(view.axes, legend.then_some(&scene.groups[..]), SAMPLES);
    let camera = Camera::new(view, size, room, (low, high), used());
    let mut canvas = solid::Canvas::new(size);
    for polygon in polygons {
        let corners: Vec<Vec3> = polygon.corners.iter().map(|&n| scene.points[n as usize]).collect();
        canvas.polygon(&camera, &corners, color(polygon.group), view.edges);
    }
    let mut pixels = canvas.pixels();
    frame::overlay(
        &mut pixels,
        size,
        SAMPLES,
        &camera,
        view.axes.then_some((low, high)),
        legend.then_some(&scene.groups[..]),
    )?;
    let pixels = image::average(&pixels, size[0], SAMPLES);
    image::encode_png(&pixels, view.size[0] as u32, view.size[1] as u32).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(z: f64, half: f64, group: usize, scene: &mut Scene) {
        let first = scene.points.len() as u32;
        let corners = [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)];
        scene.points.extend(corners.map(|(x, y)| Vec3::new(x * half, y * half, z)));
        scene.polygons.push(Polygon { corners: (first..first + 4).collect(), group });
    }

    fn pixels(scene: &Scene, view: &View) -> (Vec<u8>, usize) {
        let bytes = picture(scene, view).unwrap();
        let mut reader = png::Decoder::new(&bytes[..]).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (pixels, info.width as usize)
    }

    /// What is nearer hides what is farther, whichever is drawn first.
    #[test]
    fn the_nearer_of_two_squares_is_seen() {
        for perspective in [true, false] {
            let view = View {
                size: [120, 120],
                elevation: 90.0,
                azimuth: -90.0,
                orthographic: !perspective,
                edges: false,
                axes: false,
                legend: false,
            };
            for order in [[0, 1], [1, 0]] {
                let mut scene = Scene::default();
                for k in order {
                    match k {
                        0 => square(1.0, 0.5, 0, &mut scene),
                        _ => square(0.0, 1.0, 1, &mut scene),
                    }
                }
                let (pixels, width) = pixels(&scene, &view);
                let at = |x: usize, y: usize| [0, 1, 2].map(|c| pixels[3 * (y * width + x) + c]);
                // Blue is bluer than red, orange the other way round; paper is white.
                let (middle, side, corner) = (at(60, 60), at(28, 60), at(1, 1));
                assert!(middle[2] > middle[0], "{middle:?}");
                assert!(side[0] > side[2], "{side:?}");
                assert_eq!(corner, [255; 3]);
            }
        }
    }

    #[test]
    fn edges_axes_and_a_legend_darken_the_picture() {
        let mut scene = Scene { groups: vec!["surface 1".into(), "surface 2".into()], ..Scene::default() };
        square(0.0, 1.0, 0, &mut scene);
        square(0.5, 0.7, 1, &mut scene);
        let bare = View { size: [300, 200], edges: false, axes: false, legend: false, ..View::default() };
        let dark = |view: &View| pixels(&scene, view).0.chunks(3).filter(|p| p.iter().all(|&c| c < 110)).count();
        assert_eq!(dark(&bare), 0);
        for more in [View { edges: true, ..bare }, View { axes: true, ..bare }, View { legend: true, ..bare }] {
            assert!(dark(&more) > 20, "{more:?}: {}", dark(&more));
        }
    }

    #[test]
    fn nothing_to_draw_is_an_error() {
        assert!(picture(&Scene::default(), &View::default()).is_err());
    }
}
