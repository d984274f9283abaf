//! Stresses recovered from those at the centres of elements, where they converge faster than elsewhere (Zienkiewicz and
//! Zhu 1992): around each node a linear field is fitted to them, its value at the node is interpolated by the shape
//! functions. What it differs by from the stress of the elements estimates the error of the mesh.

use super::point::{Parts, Point};
use crate::body::{pushed_forward, Kirchhoff};
use crate::math::{Mat3, Vec3};
use crate::shape::{interpolate, QuadratureNode};

/// Centres of elements that a fit wants, if there are so many in reach.
const ENOUGH: usize = 8;
/// Directions in which the centres spread less than this, as a part of the most, are left out of a fit.
const FLAT: f64 = 1e-6;

/// The recovered stress of a body at one instant.
pub struct Recovered<'a> {
    parts: &'a Parts,
    /// Of each element, the material that it is made of, counted from zero.
    material: Vec<u32>,
    /// Of each material, Cauchy stress at the nodes of its elements [Pa].
    nodal: Vec<Vec<[f64; 6]>>,
    /// Of each element: energy of the difference from its own stress, and of the recovered one [J].
    energies: Vec<[f64; 2]>,
}

/// Place and stress of the centre of an element.
type Sample = (Vec3, [f64; 6]);

/// What stresses follow from: the law and number of the material of an element with its volume id, whether strains are enhanced, and the
/// places of nodes.
pub(super) struct Source<'s> {
    pub law: &'s dyn Fn(u32, i32) -> Option<(Kirchhoff, u32)>,
    pub enhanced: bool,
    pub place: &'s dyn Fn(u32) -> Vec3,
}

impl<'a> Recovered<'a> {
    /// None without a material.
    pub(super) fn new(parts: &'a Parts, source: &Source<'_>) -> Option<Recovered<'a>> {
        let (mut samples, mut material, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        for (element, (of, own)) in (0..).zip(parts.elements()) {
            samples.push(sample(parts, element, source)?);
            material.push((source.law)(element, of.volid)?.1);
            nodes.push(own);
        }
        let count = nodes.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let materials = material.iter().max().map_or(0, |last| *last as usize + 1);
        let mut nodal = vec![vec![[f64::NAN; 6]; count]; materials];
        for (of, nodal) in (0..).zip(&mut nodal) {
            for (node, value) in (0..).zip(nodal) {
                let near = patch(parts, &material, &nodes, node, of);
                if let Some(found) = fit(&parts.reference(node), &near, &samples) {
                    *value = found;
                }
            }
        }
        let mut recovered = Recovered { parts, material, nodal, energies: Vec::new() };
        recovered.energies = (0..nodes.len() as u32).map(|e| recovered.energies_of(e, source)).collect();
        Some(recovered)
    }

    /// Cauchy stress at a point, xx yy zz xy xz yz [Pa]; the mean of those of the materials that meet there.
    pub fn at(&self, point: &Point) -> [f64; 6] {
        let mut sum = [0.0; 6];
        let mut met: Vec<u32> = Vec::new();
        for (element, natural) in self.parts.meeting(point) {
            let material = self.material[element as usize];
            if met.contains(&material) {
                continue;
            }
            met.push(material);
            sum.iter_mut().zip(self.in_element(element, &natural)).for_each(|(sum, s)| *sum += s);
        }
        sum.map(|sum| sum / met.len() as f64)
    }

    /// The estimated error of the stresses in the norm of energy, as a part of the norm of the stresses.
    pub fn error(&self) -> f64 {
        let total = |k: usize| self.energies.iter().map(|energies| energies[k]).sum::<f64>();
        (total(0) / total(1)).sqrt()
    }

    /// The part of [`error`](Self::error) that belongs to the element of a point: the sum of its square over all elements
    /// is the square of the whole. Zero where the meshes have no such point.
    pub fn error_at(&self, point: &Point) -> f64 {
        let total: f64 = self.energies.iter().map(|energies| energies[1]).sum();
        let of = self.parts.element_at(point).and_then(|element| self.energies.get(element as usize));
        of.map_or(0.0, |energies| (energies[0] / total).sqrt())
    }

    /// The recovered stress at natural coordinates of an element.
    fn in_element(&self, element: u32, natural: &Vec3) -> [f64; 6] {
        let mut sum = [0.0; 6];
        let Some((of, nodes)) = self.parts.element_nodes(element) else { return [f64::NAN; 6] };
        let nodal = &self.nodal[self.material[element as usize] as usize];
        for (node, weight) in nodes.zip(of.kind.shape_functions(natural)) {
            sum.iter_mut().zip(&nodal[node as usize]).for_each(|(sum, s)| *sum += weight * s);
        }
        sum
    }

    /// Energy of the difference from the stress of the element itself, and of the recovered stress [J].
    fn energies_of(&self, element: u32, source: &Source<'_>) -> [f64; 2] {
        let mut sum = [0.0; 2];
        let Some((of, then, _)) = self.parts.corners(element, source.place) else { return sum };
        let Some((law, _)) = (source.law)(element, of.volid) else { return sum };
        for QuadratureNode { natural, weight } in of.kind.quadrature() {
            let own = self.parts.stress(element, &natural, (&law, source.enhanced), source.place);
            let Some((f, stress)) = own else { continue };
            let volume = weight * of.kind.jacobian(&then, &natural).determinant();
            let recovered = self.in_element(element, &natural);
            let own = pushed_forward(&stress, &f);
            let difference: [f64; 6] = std::array::from_fn(|k| recovered[k] - own[k]);
            sum[0] += volume * energy(&law, &difference);
            sum[1] += volume * energy(&law, &recovered);
        }
        sum
    }
}

/// Elastic energy per volume of a small strain with this stress [J/m³].
fn energy(law: &Kirchhoff, [xx, yy, zz, xy, xz, yz]: &[f64; 6]) -> f64 {
    let square = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz);
    let trace = xx + yy + zz;
    (square - law.lambda / (3.0 * law.lambda + 2.0 * law.mu) * trace * trace) / (4.0 * law.mu)
}

fn sample(parts: &Parts, element: u32, source: &Source<'_>) -> Option<Sample> {
    let (of, then, _) = parts.corners(element, source.place)?;
    let center = of.kind.center();
    let (law, _) = (source.law)(element, of.volid)?;
    let (f, stress) = parts.stress(element, &center, (&law, source.enhanced), source.place)?;
    let x = interpolate(&of.kind.shape_functions(&center), &then);
    Some((x, pushed_forward(&stress, &f)))
}

/// Elements of a material at a node, and around these while there are too few; none if no element at the node is of it.
fn patch(parts: &Parts, material: &[u32], nodes: &[Vec<u32>], node: u32, of: u32) -> Vec<u32> {
    let made_of_it = |element: &u32| material[*element as usize] == of;
    let mut near: Vec<u32> = parts.elements_at(node).iter().copied().filter(made_of_it).collect();
    for _ in 0..2 {
        if near.len() >= ENOUGH || near.is_empty() {
            break;
        }
        let around = near.iter().flat_map(|element| &nodes[*element as usize]);
        let mut more: Vec<u32> = around.flat_map(|node| parts.elements_at(*node)).copied().filter(made_of_it).collect();
        more.sort_unstable();
        more.dedup();
        near = more;
    }
    near
}

/// The value at `x` of the linear field that is nearest to the samples; of less where they lie in a plane or on a line.
fn fit(x: &Vec3, near: &[u32], samples: &[Sample]) -> Option<[f64; 6]> {
    let samples = || near.iter().map(|element| &samples[*element as usize]);
    let size = samples().map(|(at, _)| (at - x).amax()).fold(0.0, f64::max);
    if size == 0.0 {
        return samples().next().map(|(_, stress)| *stress);
    }
    let count = near.len() as f64;
    let middle = samples().map(|(at, _)| at).sum::<Vec3>() / count;
    let basis = |at: &Vec3| (at - middle) / size;
    let moments = samples().map(|(at, _)| basis(at) * basis(at).transpose()).sum::<Mat3>();
    let spread = moments.symmetric_eigen();
    let largest = spread.eigenvalues.max();
    let mut found = [0.0; 6];
    for (k, found) in found.iter_mut().enumerate() {
        let mean = samples().map(|(_, stress)| stress[k]).sum::<f64>() / count;
        let slope: Vec3 = samples().map(|(at, stress)| basis(at) * (stress[k] - mean)).sum();
        *found = mean;
        for (value, direction) in spread.eigenvalues.iter().zip(spread.eigenvectors.column_iter()) {
            if *value > FLAT * largest {
                *found += direction.dot(&slope) / value * direction.dot(&basis(x));
            }
        }
    }
    Some(found)
}
