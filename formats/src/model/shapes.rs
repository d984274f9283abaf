//! Shapes: the library of geometries and the placements of bodies' shapes.

use std::sync::Arc;

use solfec::math::{Mat3, Vec3};
use solfec::model::{Model, ShapeRow};
use solfec::shape::{BoundaryFace, Convex, ElementKind, Ellipsoid, Face, Geometry, Mesh, RawElement, RawMesh, Sphere};

use super::checked::{positive, Table};
use super::rows::{column, offsets};
use super::shape_tables::{
    ConnOffsets, ConnRows, ConvexFaceRows, ConvexOffsets, ConvexRows, ElementRows, EllipsoidRows, FaceConnOffsets,
    FaceConnRows, FaceRows, MeshOffsets, NodeRows, PlacedRows, SphereRows, VertexRows,
};
use crate::error::Result;
use crate::store::Out;

/// Numbers of `shapes/kind`.
const MESH: u8 = 0;
const CONVEX: u8 = 1;
const SPHERE: u8 = 2;
const ELLIPSOID: u8 = 3;
/// Number of tetrahedra of second order in `meshes/elem_type`, for later use.
const TET10: u8 = 10;

/// Placement of a shape where its geometry is.
const IN_PLACE: [f64; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let (mut meshes, mut convexes, mut balls, mut ellipsoids) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut place = Vec::with_capacity(m.library.len());
    for geometry in &m.library {
        place.push(match geometry.as_ref() {
            Geometry::Mesh(mesh) => (MESH, push(&mut meshes, mesh)),
            Geometry::Convex(convex) => (CONVEX, push(&mut convexes, convex)),
            Geometry::Sphere(ball) => (SPHERE, push(&mut balls, ball)),
            Geometry::Ellipsoid(ellipsoid) => (ELLIPSOID, push(&mut ellipsoids, ellipsoid)),
        });
    }
    if !meshes.is_empty() {
        write_meshes(out, at, &meshes)?;
    }
    if !convexes.is_empty() {
        write_convex(out, at, &convexes)?;
    }
    if !balls.is_empty() {
        write_spheres(out, at, &balls)?;
    }
    if !ellipsoids.is_empty() {
        write_ellipsoids(out, at, &ellipsoids)?;
    }
    let transform = |s: &ShapeRow| {
        let mut t = [0.0; 12];
        t[..9].copy_from_slice(s.rotation.as_slice());
        t[9..].copy_from_slice(s.shift.as_slice());
        t
    };
    let rows = PlacedRows {
        kind: column(&m.shapes, |s| place[s.geometry as usize].0),
        index: column(&m.shapes, |s| place[s.geometry as usize].1),
        transform: column(&m.shapes, transform),
    };
    let moved = rows.transform.iter().any(|t| *t != IN_PLACE);
    out.put_table_without(at, &rows, if moved { &[] } else { &["transform"] })
}

fn write_meshes(out: &mut Out, at: &str, meshes: &[&Mesh]) -> Result<()> {
    let elements = || meshes.iter().flat_map(|m| &m.elements);
    let rows = MeshOffsets {
        nodes: offsets(meshes.iter().map(|m| m.nodes.len())),
        elements: offsets(meshes.iter().map(|m| m.elements.len())),
        faces: offsets(meshes.iter().map(|m| m.boundary.len())),
    };
    out.put_table(at, &rows)?;
    let node = meshes.iter().flat_map(|m| &m.nodes).map(|&x| x.into()).collect();
    out.put_table(at, &NodeRows { node })?;
    let kind: Vec<u8> = elements().map(|e| e.kind as u8).collect();
    out.put_table(at, &ElementRows { volid: elements().map(|e| e.volid).collect(), kind })?;
    out.put_table(at, &ConnOffsets { conn: offsets(elements().map(|e| e.nodes().len())) })?;
    let conn = elements().flat_map(|e| e.nodes().iter().map(|&n| n as i32)).collect();
    out.put_table(at, &ConnRows { conn })?;
    let face = |m: &Mesh, f: &BoundaryFace| {
        let mut nodes = [-1; 4];
        let of = m.elements[f.element as usize].face(f.local as usize);
        nodes.iter_mut().zip(of).for_each(|(to, n)| *to = n as i32);
        nodes
    };
    let faces = FaceRows {
        conn: meshes.iter().flat_map(|m| m.boundary.iter().map(|f| face(m, f))).collect(),
        surfid: meshes.iter().flat_map(|m| &m.boundary).map(|f| f.surfid).collect(),
    };
    out.put_table(at, &faces)
}

fn write_convex(out: &mut Out, at: &str, convexes: &[&Convex]) -> Result<()> {
    let faces = || convexes.iter().flat_map(|c| &c.faces);
    let rows = ConvexOffsets {
        vertices: offsets(convexes.iter().map(|c| c.vertices.len())),
        faces: offsets(convexes.iter().map(|c| c.faces.len())),
    };
    out.put_table(at, &rows)?;
    let vertex = convexes.iter().flat_map(|c| &c.vertices).map(|&x| x.into()).collect();
    out.put_table(at, &VertexRows { vertex })?;
    out.put_table(at, &FaceConnOffsets { conn: offsets(faces().map(|f| f.nodes.len())) })?;
    let conn = faces().flat_map(|f| f.nodes.iter().map(|&n| n as i32)).collect();
    out.put_table(at, &FaceConnRows { conn })?;
    out.put_table(at, &ConvexFaceRows { surfid: faces().map(|f| f.surfid).collect() })?;
    out.put_table(at, &ConvexRows { volid: column(convexes, |c| c.volid) })
}

fn write_spheres(out: &mut Out, at: &str, balls: &[&Sphere]) -> Result<()> {
    let rows = SphereRows {
        center: column(balls, |b| b.center.into()),
        radius: column(balls, |b| b.radius),
        volid: column(balls, |b| b.volid),
        surfid: column(balls, |b| b.surfid),
    };
    out.put_table(at, &rows)
}

fn write_ellipsoids(out: &mut Out, at: &str, ellipsoids: &[&Ellipsoid]) -> Result<()> {
    let half_axes = |e: &&Ellipsoid| {
        let mut nine = [0.0; 9];
        nine.copy_from_slice(e.half_axes().as_slice());
        nine
    };
    let rows = EllipsoidRows {
        center: column(ellipsoids, |e| e.center().into()),
        half_axes: ellipsoids.iter().map(half_axes).collect(),
        volid: column(ellipsoids, |e| e.volid),
        surfid: column(ellipsoids, |e| e.surfid),
    };
    out.put_table(at, &rows)
}

fn push<'a, T>(to: &mut Vec<&'a T>, item: &'a T) -> i64 {
    to.push(item);
    to.len() as i64 - 1
}

/// Library and shapes of a domain.
pub(super) fn read(t: &Table, epsilon: f64) -> Result<(Vec<Arc<Geometry>>, Vec<ShapeRow>)> {
    let tables = libraries(t, epsilon)?;
    placed(t, tables)
}

/// Geometries of each kind.
#[derive(Default)]
struct Libraries {
    meshes: Vec<Mesh>,
    convexes: Vec<Convex>,
    spheres: Vec<Sphere>,
    ellipsoids: Vec<Ellipsoid>,
}

fn libraries(t: &Table, epsilon: f64) -> Result<Libraries> {
    Ok(Libraries {
        meshes: meshes(t)?,
        convexes: convexes(t, epsilon)?,
        spheres: spheres(t)?,
        ellipsoids: ellipsoids(t)?,
    })
}

fn meshes(t: &Table) -> Result<Vec<Mesh>> {
    if !t.has("meshes/nodes") {
        return Ok(Vec::new());
    }
    let nodes = t.from.get::<[f64; 3]>(&t.base, "meshes/nodes")?;
    t.finite("meshes/nodes", &nodes)?;
    let node_offset = t.offsets("meshes/node_offset", None, nodes.len())?;
    let m = node_offset.len() - 1;
    let types = t.from.get::<u8>(&t.base, "meshes/elem_type")?;
    let elem_offset = t.offsets("meshes/elem_offset", Some(m), types.len())?;
    let volids = t.column_or("meshes/elem_volid", types.len(), 0)?;
    let conn = t.from.get::<i32>(&t.base, "meshes/conn")?;
    let mut first = 0;
    let mut starts = Vec::with_capacity(types.len() + 1);
    for (e, &kind) in types.iter().enumerate() {
        if ElementKind::from_count(kind as usize).is_none() {
            let later = if kind == TET10 { " (tetrahedra of second order cannot be computed with yet)" } else { "" };
            return t.wrong_row("meshes/elem_type", e, format!("{kind}, but 4, 5, 6 or 8 nodes are wanted{later}"));
        }
        starts.push(first);
        first += kind as usize;
    }
    starts.push(first);
    if conn.len() != first {
        return t.wrong("meshes/conn", format!("{} rows, but the elements have {first} nodes", conn.len()));
    }
    if t.has("meshes/conn_offset") && t.offsets("meshes/conn_offset", Some(types.len()), first)? != starts {
        return t.wrong("meshes/conn_offset", "does not agree with meshes/elem_type");
    }
    let (face_offset, faces) = mesh_faces(t, m)?;
    let surfids = t.column_or("meshes/global_surfid", m, 0)?;
    let mut all = Vec::with_capacity(m);
    for i in 0..m {
        let count = node_offset[i + 1] - node_offset[i];
        let mut elements = Vec::with_capacity(elem_offset[i + 1] - elem_offset[i]);
        for e in elem_offset[i]..elem_offset[i + 1] {
            let rows = starts[e]..starts[e + 1];
            if let Some(row) = rows.clone().find(|&r| conn[r] < 0 || conn[r] as usize >= count) {
                return t.wrong_row("meshes/conn", row, format!("node {} of mesh {i}, which has {count}", conn[row]));
            }
            let numbers: Vec<u32> = conn[rows].iter().map(|&n| n as u32).collect();
            match RawElement::new(&numbers, volids[e]) {
                Ok(element) => elements.push(element),
                Err(error) => return t.wrong_row("meshes/elem_type", e, error.to_string()),
            }
        }
        let points = nodes[node_offset[i]..node_offset[i + 1]].iter().map(|&x| x.into()).collect();
        let faces = faces[face_offset[i]..face_offset[i + 1]].to_vec();
        let raw = RawMesh { nodes: points, elements, surfid: surfids[i], faces };
        match raw.mesh() {
            Ok((mesh, _)) => all.push(mesh),
            Err(error) => return t.wrong_row("meshes/elem_offset", i, error.to_string()),
        }
    }
    Ok(all)
}

/// Nodes and surface id.
type ListedFaces = Vec<(Vec<u32>, i32)>;

fn mesh_faces(t: &Table, meshes: usize) -> Result<(Vec<usize>, ListedFaces)> {
    if !t.has("meshes/face_conn") {
        return Ok((vec![0; meshes + 1], Vec::new()));
    }
    let nodes = t.from.get::<[i32; 4]>(&t.base, "meshes/face_conn")?;
    let surfids = t.column::<i32>("meshes/face_surfid", nodes.len())?;
    let offsets = t.offsets("meshes/face_offset", Some(meshes), nodes.len())?;
    let used = |n: &[i32; 4]| n.iter().filter(|&&i| i != -1).map(|&i| i as u32).collect();
    Ok((offsets, nodes.iter().map(used).zip(surfids).collect()))
}

fn convexes(t: &Table, epsilon: f64) -> Result<Vec<Convex>> {
    if !t.has("convex/verts") {
        return Ok(Vec::new());
    }
    let verts = t.from.get::<[f64; 3]>(&t.base, "convex/verts")?;
    t.finite("convex/verts", &verts)?;
    let vert_offset = t.offsets("convex/vert_offset", None, verts.len())?;
    let n = vert_offset.len() - 1;
    let conn = t.from.get::<i32>(&t.base, "convex/face_conn")?;
    let conn_offset = t.offsets("convex/face_conn_offset", None, conn.len())?;
    let face_count = conn_offset.len() - 1;
    let face_offset = t.offsets("convex/face_offset", Some(n), face_count)?;
    let surfids = t.column_or("convex/face_surfid", face_count, 0)?;
    let volids = t.column_or("convex/volid", n, 0)?;
    let mut all = Vec::with_capacity(n);
    for i in 0..n {
        let count = vert_offset[i + 1] - vert_offset[i];
        let mut faces = Vec::with_capacity(face_offset[i + 1] - face_offset[i]);
        if face_offset[i + 1] - face_offset[i] < 4 || count < 4 {
            return t.wrong_row("convex/face_offset", i, "a polyhedron has at least four faces and four vertices");
        }
        for f in face_offset[i]..face_offset[i + 1] {
            let rows = conn_offset[f]..conn_offset[f + 1];
            if rows.len() < 3 {
                return t.wrong_row("convex/face_conn_offset", f, "a face has at least three vertices");
            }
            if let Some(row) = rows.clone().find(|&r| conn[r] < 0 || conn[r] as usize >= count) {
                let text = format!("vertex {} of polyhedron {i}, which has {count}", conn[row]);
                return t.wrong_row("convex/face_conn", row, text);
            }
            faces.push(Face { nodes: conn[rows].iter().map(|&v| v as u32).collect(), surfid: surfids[f] });
        }
        let vertices = verts[vert_offset[i]..vert_offset[i + 1]].iter().map(|&x| x.into()).collect();
        match Convex::new(vertices, faces, volids[i], epsilon) {
            Ok((convex, _)) => all.push(convex),
            Err(error) => return t.wrong_row("convex/vert_offset", i, error.to_string()),
        }
    }
    Ok(all)
}

fn spheres(t: &Table) -> Result<Vec<Sphere>> {
    let SphereRows { center, radius, volid, surfid } = t.table(|_| {})?;
    t.finite("spheres/center", &center)?;
    t.check("spheres/radius", &radius, "positive", positive)?;
    let row = |i: usize| Sphere { center: center[i].into(), radius: radius[i], volid: volid[i], surfid: surfid[i] };
    Ok((0..radius.len()).map(row).collect())
}

fn ellipsoids(t: &Table) -> Result<Vec<Ellipsoid>> {
    let EllipsoidRows { center, half_axes, volid, surfid } = t.table(|_| {})?;
    t.finite("ellipsoids/center", &center)?;
    t.finite("ellipsoids/half_axes", &half_axes)?;
    let row = |i: usize| {
        let axes = Mat3::from_column_slice(&half_axes[i]);
        Ellipsoid::with_axes(center[i].into(), &axes, volid[i], surfid[i])
            .or_else(|error| t.wrong_row("ellipsoids/half_axes", i, error.to_string()))
    };
    (0..center.len()).map(row).collect()
}

/// Shapes, and the library in the order in which shapes first use it (unused geometries last).
fn placed(t: &Table, tables: Libraries) -> Result<(Vec<Arc<Geometry>>, Vec<ShapeRow>)> {
    let PlacedRows { kind: kinds, index: indices, transform: transforms } =
        t.table(|plain: &mut PlacedRows| plain.transform[0] = IN_PLACE)?;
    let n = kinds.len();
    t.finite("shapes/transform", &transforms)?;
    let mut pools: [Vec<Option<Geometry>>; 4] = [
        tables.meshes.into_iter().map(|x| Some(x.into())).collect(),
        tables.convexes.into_iter().map(|x| Some(x.into())).collect(),
        tables.spheres.into_iter().map(|x| Some(x.into())).collect(),
        tables.ellipsoids.into_iter().map(|x| Some(x.into())).collect(),
    ];
    let mut rows_of: [Vec<u32>; 4] = [0, 1, 2, 3].map(|k| vec![u32::MAX; pools[k].len()]);
    let mut library = Vec::new();
    let mut shapes = Vec::with_capacity(n);
    for i in 0..n {
        let kind = kinds[i] as usize;
        if kind > ELLIPSOID as usize {
            return t.wrong_row(
                "shapes/kind",
                i,
                format!("{kind}, but 0 mesh, 1 convex, 2 sphere or 3 ellipsoid is wanted"),
            );
        }
        let index = indices[i];
        if index < 0 || index >= pools[kind].len() as i64 {
            let table = ["meshes", "convex", "spheres", "ellipsoids"][kind];
            let text = format!("{index} is not a row of {table}, which has {}", pools[kind].len());
            return t.wrong_row("shapes/index", i, text);
        }
        if let Some(geometry) = pools[kind][index as usize].take() {
            rows_of[kind][index as usize] = library.len() as u32;
            library.push(Arc::new(geometry));
        }
        let rotation = Mat3::from_column_slice(&transforms[i][..9]);
        if (rotation.transpose() * rotation - Mat3::identity()).amax() > ROTATION_TOLERANCE {
            return t.wrong_row("shapes/transform", i, "the first nine numbers are not a rotation");
        }
        shapes.push(ShapeRow {
            geometry: rows_of[kind][index as usize],
            rotation,
            shift: Vec3::from_column_slice(&transforms[i][9..]),
        });
    }
    library.extend(pools.into_iter().flatten().flatten().map(Arc::new));
    Ok((library, shapes))
}

/// Largest |RᵀR − I| of a rotation, as for user bases (docs/conventions.md 2).
const ROTATION_TOLERANCE: f64 = 1e-6;
