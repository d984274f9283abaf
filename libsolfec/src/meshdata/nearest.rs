//! Distances from a surface, and whether a point is inside: a tree of boxes, and the winding number (Van Oosterom and
//! Strackee 1983 for the solid angle of a triangle).

use crate::math::Vec3;

pub type Triangle = [Vec3; 3];

/// Triangles of a leaf at most.
const LEAF: usize = 8;

/// A closed surface of triangles, prepared for questions.
#[derive(Debug, Clone)]
pub struct Shell {
    triangles: Vec<Triangle>,
    nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
struct Node {
    low: Vec3,
    high: Vec3,
    /// The triangles of a leaf, or where its two children are.
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Leaf(std::ops::Range<usize>),
    Inner([usize; 2]),
}

impl Shell {
    /// Of at least one triangle.
    pub fn new(mut triangles: Vec<Triangle>) -> Shell {
        let mut nodes = Vec::new();
        let count = triangles.len();
        build(&mut triangles, 0..count, &mut nodes);
        Shell { triangles, nodes }
    }

    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// The volume inside, negative if the triangles look inwards [m³].
    pub fn volume(&self) -> f64 {
        let apex = self.triangles.first().map_or_else(Vec3::zeros, |t| t[0]);
        let part = |[a, b, c]: &Triangle| (a - apex).dot(&(b - apex).cross(&(c - apex))) / 6.0;
        self.triangles.iter().map(part).sum()
    }

    /// Distance of a point from the surface [m].
    pub fn distance(&self, x: &Vec3) -> f64 {
        let mut best = f64::INFINITY;
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            if box_distance(node, x) >= best {
                continue;
            }
            match &node.kind {
                Kind::Leaf(range) => {
                    let near = self.triangles[range.clone()].iter().map(|t| (closest(t, x) - x).norm());
                    best = near.fold(best, f64::min);
                }
                Kind::Inner([a, b]) => {
                    let nearer_last = box_distance(&self.nodes[*a], x) > box_distance(&self.nodes[*b], x);
                    open.extend(if nearer_last { [*a, *b] } else { [*b, *a] });
                }
            }
        }
        best
    }

    /// Whether a point is inside: the triangles turn around it once.
    pub fn holds(&self, x: &Vec3) -> bool {
        self.turns(x) > 0.5
    }

    /// How often the triangles turn around a point.
    pub fn turns(&self, x: &Vec3) -> f64 {
        let solid_angle = |t: &Triangle| {
            let [a, b, c] = t.map(|corner| corner - x);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        self.triangles.iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

fn build(triangles: &mut [Triangle], range: std::ops::Range<usize>, nodes: &mut Vec<Node>) -> usize {
    let own = &mut triangles[range.clone()];
    let first = own.first().map_or_else(Vec3::zeros, |t| t[0]);
    let (low, high) = own.iter().flatten().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    let at = nodes.len();
    nodes.push(Node { low, high, kind: Kind::Leaf(range.clone()) });
    if range.len() > LEAF {
        let axis = (high - low).imax();
        let middle = |t: &Triangle| t[0][axis] + t[1][axis] + t[2][axis];
        own.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        let half = range.start + range.len() / 2;
        let children = [build(triangles, range.start..half, nodes), build(triangles, half..range.end, nodes)];
        nodes[at].kind = Kind::Inner(children);
    }
    at
}

fn box_distance(node: &Node, x: &Vec3) -> f64 {
    let outside = (node.low - x).sup(&(x - node.high)).sup(&Vec3::zeros());
    outside.norm()
}

/// The point of a triangle that is nearest to `x` (Ericson 2005, 5.1.5).
fn closest([a, b, c]: &Triangle, x: &Vec3) -> Vec3 {
    let (ab, ac, ax) = (b - a, c - a, x - a);
    let (d1, d2) = (ab.dot(&ax), ac.dot(&ax));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bx = x - b;
    let (d3, d4) = (ab.dot(&bx), ac.dot(&bx));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cx = x - c;
    let (d5, d6) = (ab.dot(&cx), ac.dot(&cx));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let total = va + vb + vc;
    if total > 0.0 {
        a + ab * (vb / total) + ac * (vc / total)
    } else {
        *a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Convex;

    #[test]
    fn distances_from_a_cube_and_its_inside() {
        let corners: Vec<Vec3> =
            (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { 0.0 } else { 1.0 })).collect();
        let cube = Convex::hull(&corners, 0, 0).unwrap();
        let mut triangles = Vec::new();
        for face in &cube.faces {
            let x: Vec<Vec3> = face.nodes.iter().map(|&n| cube.vertices[n as usize]).collect();
            triangles.extend((2..x.len()).map(|i| [x[0], x[i - 1], x[i]]));
        }
        let shell = Shell::new(triangles);
        for (x, distance, inside) in [
            ([0.5, 0.5, 0.75], 0.25, true),
            ([0.5, 0.5, 1.25], 0.25, false),
            ([2.0, 2.0, 0.5], 2f64.sqrt(), false),
            ([2.0, 2.0, 2.0], 3f64.sqrt(), false),
            ([0.1, 0.4, 0.5], 0.1, true),
        ] {
            let x = Vec3::from(x);
            assert!((shell.distance(&x) - distance).abs() < 1e-14, "{x}");
            assert_eq!(shell.holds(&x), inside, "{x}");
        }
    }
}
