//! Rigid motions of a mesh: three translations, three rotations.

use crate::math::Vec3;

/// The displacements of the nodes of a mesh: unit translations along x, y, z, and `e × (X − X0)` of unit rotations about
/// these axes, each scaled to unit Euclidean norm. They are not orthogonal to one another unless X0 is the mean of the
/// nodes and the axes suit the mesh.
pub fn rigid_displacements(nodes: &[Vec3], center: &Vec3) -> [Vec<Vec3>; 6] {
    let mut fields = fields(nodes, center);
    for field in &mut fields {
        let norm = field.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        field.iter_mut().for_each(|x| *x /= norm);
    }
    fields
}

/// The six rigid modes about the mass centre: translations along x, y, z, and rotations. `Σ m xᵢ·xⱼ = δᵢⱼ` over the nodes
/// with their masses [kg].
pub fn rigid_modes(nodes: &[Vec3], mass: &[f64]) -> [Vec<Vec3>; 6] {
    let total: f64 = mass.iter().sum();
    let center = nodes.iter().zip(mass).map(|(x, mass)| x * *mass).sum::<Vec3>() / total;
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).zip(mass).map(|((a, b), mass)| a.dot(b) * mass).sum::<f64>();
    let mut fields = fields(nodes, &center);
    for k in 0..6 {
        let (before, rest) = fields.split_at_mut(k);
        let field = &mut rest[0];
        // Twice is enough (Parlett 1980).
        for _ in 0..2 {
            for other in before.iter() {
                let share = dot(other, field);
                field.iter_mut().zip(other).for_each(|(x, other)| *x -= other * share);
            }
        }
        let norm = dot(field, field).sqrt();
        field.iter_mut().for_each(|x| *x /= norm);
    }
    fields
}

fn fields(nodes: &[Vec3], center: &Vec3) -> [Vec<Vec3>; 6] {
    std::array::from_fn(|k| {
        let axis = Vec3::ith(k % 3, 1.0);
        let field = |x: &Vec3| if k < 3 { axis } else { axis.cross(&(x - center)) };
        nodes.iter().map(field).collect()
    })
}
