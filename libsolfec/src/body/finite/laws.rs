//! The material law of each element of a mesh, or of each of its points of integration where the material varies.

use super::grid::Grid;
use crate::body::kirchhoff::Kirchhoff;

/// The laws of a mesh.
#[derive(Debug, Clone)]
pub struct Laws {
    /// One for each element; of elements whose points differ, that of the means of Young's modulus and Poisson's ratio.
    element: Vec<Kirchhoff>,
    /// One for each point of integration, element by element; empty where all points of an element are alike.
    point: Vec<Kirchhoff>,
}

/// The law of an element.
#[derive(Debug, Clone, Copy)]
pub struct Law<'a> {
    pub mean: Kirchhoff,
    points: &'a [Kirchhoff],
}

impl Law<'_> {
    /// At a point of integration.
    #[inline]
    pub fn at(&self, q: usize) -> Kirchhoff {
        self.points.get(q).copied().unwrap_or(self.mean)
    }

    /// That of the element, and those of its points where they differ.
    pub fn all(&self) -> impl Iterator<Item = Kirchhoff> + '_ {
        std::iter::once(self.mean).chain(self.points.iter().copied())
    }
}

impl From<Vec<Kirchhoff>> for Laws {
    /// Elements that are uniform.
    fn from(element: Vec<Kirchhoff>) -> Laws {
        Laws { element, point: Vec::new() }
    }
}

impl Laws {
    /// From values at the points of integration. Elements with enhanced strains have their mean everywhere, for which
    /// their modes are made.
    pub fn sampled(grid: &Grid, young: &[f64], poisson: &[f64]) -> Laws {
        let mut laws = Laws { element: Vec::new(), point: Vec::with_capacity(young.len()) };
        for (e, cell) in grid.cells().enumerate() {
            let mean = Kirchhoff::new(grid.mean(e, young), grid.mean(e, poisson));
            laws.element.push(mean);
            laws.point.extend(grid.points_of(e).map(|q| match cell.enhanced {
                Some(_) => mean,
                None => Kirchhoff::new(young[q], poisson[q]),
            }));
        }
        laws
    }

    /// Whether points of an element may differ.
    pub fn vary(&self) -> bool {
        !self.point.is_empty()
    }

    /// Of an element of this mesh.
    pub fn of(&self, grid: &Grid, e: usize) -> Law<'_> {
        let points = if self.point.is_empty() { &[] } else { &self.point[grid.points_of(e)] };
        Law { mean: self.element[e], points }
    }

    /// One for each element.
    pub fn elements(&self) -> &[Kirchhoff] {
        &self.element
    }

    /// Of meshes whose elements are uniform.
    pub fn elements_mut(&mut self) -> &mut [Kirchhoff] {
        &mut self.element
    }
}
