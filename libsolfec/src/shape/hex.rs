//! The hexahedral block generator.

use super::convex::check_finite;
use super::{Element, ElementKind, Mesh, RawMesh};
use crate::math::Vec3;
use crate::{Error, Result};

/// Position in `surfids` of each face of the element table.
const SURFACE_OF_FACE: [usize; 6] = [0, 4, 3, 2, 1, 5];

/// Division of one edge: where the grid planes are, as fractions `part / whole`.
struct Spacing {
    parts: Vec<f64>,
}

impl Spacing {
    fn new(name: char, count: usize, widths: Option<&[f64]>) -> Result<Spacing> {
        let Some(widths) = widths else {
            return Ok(Spacing { parts: (0..=count).map(|a| a as f64).collect() });
        };
        if widths.len() < count {
            return Err(Error::input(format!(
                "d{name} has {} spacings for {count} divisions: give at least {count}",
                widths.len()
            )));
        }
        let mut parts = vec![0.0];
        let mut sum = 0.0;
        for (i, &width) in widths[..count].iter().enumerate() {
            sum += width;
            if !(width > 0.0 && f64::is_finite(sum)) {
                return Err(Error::input(format!(
                    "d{name}[{i}] is {width}: spacings must be positive, finite numbers"
                )));
            }
            parts.push(sum);
        }
        Ok(Spacing { parts })
    }

    /// Point `a` of the edge from `start` to `end`, both met exactly.
    fn point(&self, a: usize, start: &Vec3, end: &Vec3) -> Vec3 {
        let last = self.parts.len() - 1;
        match a {
            0 => *start,
            _ if a == last => *end,
            _ => start + (end - start) * self.parts[a] / self.parts[last],
        }
    }
}

impl Mesh {
    /// A block of `counts` hexahedra, the trilinear image of a grid on `corners` (bottom 0–3, top 4–7); bottom and top
    /// are exchanged when that makes it positive. `surfids`: bottom, x−, y+, x+, y−, top. `spacing` gives relative
    /// widths, uniform if absent. Nodes and elements run fastest along x. Errors: no division, spacings too few or
    /// not positive, a hexahedron that is inverted or flat either way.
    pub fn hex(
        corners: &[Vec3; 8],
        counts: [usize; 3],
        volid: i32,
        surfids: &[i32; 6],
        spacing: [Option<&[f64]>; 3],
    ) -> Result<Mesh> {
        check_finite("corner", corners)?;
        let [i, j, k] = counts;
        if counts.contains(&0) {
            return Err(Error::input(format!(
                "divisions of the hexahedron are ({i}, {j}, {k}): give three positive numbers"
            )));
        }
        let fits = |n: usize, &count: &usize| n.checked_mul(count.checked_add(1)?);
        let total = counts.iter().try_fold(1_usize, fits).filter(|&n| n < u32::MAX as usize);
        if total.is_none() {
            return Err(Error::input(format!(
                "divisions of the hexahedron are ({i}, {j}, {k}): too many nodes for one mesh"
            )));
        }
        let corners = upright(corners);
        check_block(&corners)?;
        let [x, y, z] = spacing;
        let grid = [Spacing::new('x', i, x)?, Spacing::new('y', j, y)?, Spacing::new('z', k, z)?];
        let nodes = nodes(&corners, counts, &grid);
        let (elements, faces) = elements(counts, volid, surfids);
        let elements = elements.into_iter().map(Into::into).collect();
        let raw = RawMesh { nodes, elements, surfid: 0, faces };
        raw.mesh().map(|(mesh, _)| mesh)
    }
}

/// Bottom and top exchanged if the block is upside down.
fn upright(x: &[Vec3; 8]) -> [Vec3; 8] {
    if (x[1] - x[0]).cross(&(x[2] - x[1])).dot(&(x[4] - x[0])) < 0.0 {
        return std::array::from_fn(|i| x[(i + 4) % 8]);
    }
    *x
}

/// The eight corners by themselves must make a good element.
fn check_block(corners: &[Vec3; 8]) -> Result<()> {
    let one = Element { kind: ElementKind::Hex, nodes: std::array::from_fn(|i| i as u32), volid: 0 };
    Mesh::new(corners.to_vec(), vec![one], 0, &[]).map(|_| ()).map_err(|_| {
        Error::input(
            "the hexahedron of the eight corners is inverted or flat: list the bottom counter-clockwise seen from the top, \
             then the top, each node above its bottom one",
        )
    })
}

fn nodes(x: &[Vec3; 8], [i, j, k]: [usize; 3], [dx, dy, dz]: &[Spacing; 3]) -> Vec<Vec3> {
    let mut nodes = Vec::with_capacity((i + 1) * (j + 1) * (k + 1));
    for c in 0..=k {
        let quad: [Vec3; 4] = std::array::from_fn(|q| dz.point(c, &x[q], &x[q + 4]));
        for b in 0..=j {
            let (start, end) = (dy.point(b, &quad[0], &quad[3]), dy.point(b, &quad[1], &quad[2]));
            nodes.extend((0..=i).map(|a| dx.point(a, &start, &end)));
        }
    }
    nodes
}

/// Elements, and the outer faces with their surface ids.
fn elements([i, j, k]: [usize; 3], volid: i32, surfids: &[i32; 6]) -> (Vec<Element>, Vec<(Vec<u32>, i32)>) {
    let node = |a: usize, b: usize, c: usize| ((c * (j + 1) + b) * (i + 1) + a) as u32;
    let mut elements = Vec::with_capacity(i * j * k);
    let mut faces = Vec::new();
    for c in 0..k {
        for b in 0..j {
            for a in 0..i {
                let quad = |c| [node(a, b, c), node(a + 1, b, c), node(a + 1, b + 1, c), node(a, b + 1, c)];
                let ([n0, n1, n2, n3], [n4, n5, n6, n7]) = (quad(c), quad(c + 1));
                let element = Element { kind: ElementKind::Hex, nodes: [n0, n1, n2, n3, n4, n5, n6, n7], volid };
                let outer = [c == 0, b == 0, a + 1 == i, b + 1 == j, a == 0, c + 1 == k];
                let outer = (0..6).filter(|&f| outer[f]);
                faces.extend(outer.map(|f| (element.face(f).collect(), surfids[SURFACE_OF_FACE[f]])));
                elements.push(element);
            }
        }
    }
    (elements, faces)
}
