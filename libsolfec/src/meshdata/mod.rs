//! Meshes as data to be edited and judged: joining, extracting, welding, faces on the outside, what is wrong with a
//! mesh, the quality of its elements; closed surfaces: mass, distance, convex parts; what meshes and polyhedra have in
//! common.
//!
//! Everything works on [`RawMesh`](crate::shape::RawMesh), of which nothing is known yet: no function panics on node
//! numbers out of range or on elements of no kind. A *surface* is a raw mesh without elements whose `faces` are
//! polygons, counter-clockwise seen from outside.

mod cavities;
pub(crate) mod cell;
mod cuts;
mod decompose;
mod edit;
mod faults;
mod measure;
mod nearest;
mod orient;
mod outside;
mod overlay;
mod quality;
mod regions;
pub mod second_order;
mod triangulate;
mod weld;

pub use cavities::{cavities, hollow, Cavity};
pub use decompose::{decompose, Bounds, Pieces};
pub use edit::{compact, extract, join, mirror, move_nodes, positive, Kept};
pub use faults::{faults, sound_surface, Fault};
pub use measure::{area, element_integrals, surface_integrals};
pub(crate) use nearest::Shell;
pub use orient::orient;
pub use outside::{face_key, face_table, outer_faces, seen_faces, FaceKey, OuterFace};
pub use overlay::{element_tetrahedra, overlay, tetrahedron_volume, Common};
pub use quality::{scaled_jacobian, Histogram};
pub use triangulate::triangulate;
pub use weld::{weld, welded_points, Welded};
