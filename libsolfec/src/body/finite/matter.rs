//! What a body of finite elements is made of: its mesh, and the material and density of each element.

use std::collections::HashMap;

use super::grid::Grid;
use super::laws::Laws;
use super::weights::Weights;
use crate::body::kirchhoff::Kirchhoff;
use crate::body::NewBody;
use crate::material::{BulkMaterial, Quantity, Samples};
use crate::math::Vec3;
use crate::model::{characteristics_by_volume, cut_of, outline};
use crate::shape::{Geometry, Mesh, Shape};
use crate::{Error, Result};

/// Of each element: row of the bulk material, law and density [kg/m³].
pub struct Matter {
    pub materials: Vec<u32>,
    pub laws: Laws,
    pub density: Vec<f64>,
}

/// Errors of materials that do not exist or have no stiffness.
pub fn check_materials(new: &NewBody<'_>) -> Result<()> {
    new.row.materials().try_for_each(|row| {
        let material = material(new, row)?;
        material.check_stiffness().map_err(|e| Error::input(format!("{}: {e}", new.name)))
    })
}

fn material<'a>(new: &NewBody<'a>, row: u32) -> Result<&'a BulkMaterial> {
    new.bulk.get(row as usize).ok_or_else(|| {
        Error::input(format!("{}: its bulk material does not exist; create it before the body", new.name))
    })
}

/// Elements in the order of the mesh. Densities are such that the body has the mass of its row, if the material does not
/// vary.
pub fn matter(new: &NewBody<'_>, grid: &Grid) -> Result<Matter> {
    let row = new.row;
    let n = grid.count();
    if row.volumes.is_empty() {
        let law = Kirchhoff::of(material(new, row.material)?);
        let materials = vec![row.material; n];
        if let Some(samples) = &row.samples {
            let laws = Laws::sampled(grid, &samples.young, &samples.poisson);
            return Ok(Matter { materials, laws, density: (0..n).map(|e| grid.mean(e, &samples.density)).collect() });
        }
        let density = row.chars.mass / row.chars.volume;
        return Ok(Matter { materials, laws: vec![law; n].into(), density: vec![density; n] });
    }
    let ratio = row.chars.mass / characteristics_by_volume(row, new.shapes, new.bulk)?.mass;
    let materials: Vec<u32> = (0..n).map(|e| row.material_of(grid.volid(e))).collect();
    let (mut laws, mut density) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for &of in &materials {
        let of = material(new, of)?;
        laws.push(Kirchhoff::of(of));
        density.push(of.density * ratio);
    }
    Ok(Matter { materials, laws: laws.into(), density })
}

/// The mesh of a body, placed, as far as it is filled, with the strains of its elements.
///
/// # Errors
/// A shape that is not one mesh, a mesh of which no body can be made.
pub fn grid_of(new: &NewBody<'_>) -> Result<Grid> {
    let placed = |shape: &Shape| match &*shape.geometry {
        Geometry::Mesh(mesh) => Some(Mesh { nodes: shape.vertices(), ..mesh.clone() }),
        Geometry::Convex(_) | Geometry::Sphere(_) | Geometry::Ellipsoid(_) => None,
    };
    if let (shapes, Some(background)) = outline(new.row.kind, new.shapes) {
        if new.row.enhanced {
            let text = "enhanced strains are for bodies whose shape is their mesh; leave enhanced 'OFF' with mesh=MESH";
            return Err(Error::input(format!("{}: {text}", new.name)));
        }
        if new.row.samples.is_some() {
            let text = "a material that varies is for bodies whose shape is their mesh; give mesh=MESH a uniform one";
            return Err(Error::input(format!("{}: {text}", new.name)));
        }
        let mesh = placed(background).unwrap_or(Mesh { nodes: Vec::new(), elements: Vec::new(), boundary: Vec::new() });
        let parts = cut_of(shapes, &mesh).map_err(|e| Error::input(format!("{}: {e}", new.name)))?;
        return Grid::cut(new.name, mesh, &parts);
    }
    let mesh = match new.shapes {
        [shape] => placed(shape),
        _ => None,
    };
    let mesh = mesh.ok_or_else(|| {
        let text =
            "its shape must be exactly one MESH, or CONVEX objects with mesh=MESH around them; join meshes into one";
        Error::input(format!("{}: {text}", new.name))
    })?;
    let mut grid = if new.row.quadratic { Grid::second_order(new.name, mesh)? } else { Grid::new(new.name, mesh)? };
    if new.row.enhanced && !new.row.quadratic {
        grid.enhance();
    }
    if let Some(samples) = &new.row.samples {
        check_samples(new.name, samples, grid.volumes().len())?;
        grid.weigh(&samples.density);
    }
    Ok(grid)
}

/// Whether there are so many samples of each quantity, all of which a body may have.
fn check_samples(name: &str, samples: &Samples, points: usize) -> Result<()> {
    let all = [&samples.young, &samples.poisson, &samples.density];
    for (quantity, values) in Quantity::ALL.into_iter().zip(all) {
        if values.len() != points {
            let (what, n) = (quantity.name(), values.len());
            let text = format!("{name}: {n} samples of {what}, but its mesh has {points} points of integration");
            return Err(Error::input(text));
        }
        let wrong = values.iter().find_map(|value| quantity.check(*value).err());
        if let Some(text) = wrong {
            return Err(Error::input(format!("{name}: {text} where its material varies")));
        }
    }
    Ok(())
}

/// Where the vertices of polyhedra lie in a background mesh.
pub fn anchors(new: &NewBody<'_>, grid: &Grid) -> HashMap<[u64; 3], Weights> {
    let (shapes, background) = outline(new.row.kind, new.shapes);
    let vertices = shapes.iter().filter(|_| background.is_some()).flat_map(Shape::vertices);
    let weights = |x: Vec3| grid.locate(&x).map(|(element, natural)| (bits(&x), Weights::new(grid, element, &natural)));
    vertices.filter_map(weights).collect()
}

/// The bits of a place, to find it by.
pub fn bits(x: &Vec3) -> [u64; 3] {
    [x.x, x.y, x.z].map(f64::to_bits)
}
