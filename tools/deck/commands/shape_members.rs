//! Members of CONVEX, MESH, SPHERE and ELLIP.

use std::borrow::Cow;
use std::sync::Arc;

use solfec::material::ANY;
use solfec::math::{Mat3, Vec3};
use solfec::meshing::{surface_points, volume_points};
use solfec::shape::{Convex, Ellipsoid, Mesh, RawMesh, Shape, Sphere};

use super::mesh_order::{in_original_order, First};
use crate::deck::args::{narrow, Args};
use crate::deck::fault::Fault;
use crate::deck::objects::Objects;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Default, Kind, Member, Method};
use crate::deck::value::{Handle, Value};

pub const CLASSES: &[&Class] = &[&CONVEX, &MESH, &SPHERE, &ELLIP];

static CONVEX: Class = Class {
    name: "CONVEX",
    chapter: Chapter::Geometry,
    doc: "A collection of convex polyhedra.",
    members: &[Member {
        name: "nver",
        unit: "",
        doc: "number of vertices of the first polyhedron, which was made last",
        get: |session, object| Ok(Value::Int(convex(session, object)?.0.vertices.len() as i64)),
        set: None,
    }],
    methods: &[Method {
        name: "vertex",
        args: &[Arg::new("n", Kind::Integer { min: 0, max: i64::MAX }, "vertex of the first polyhedron")],
        returns: "the tuple (x, y, z)",
        doc: "Current place of a vertex.",
        run: vertex,
    }],
};

static MESH: Class = Class {
    name: "MESH",
    chapter: Chapter::Geometry,
    doc: "A mesh of first-order elements.",
    members: &[Member {
        name: "nnod",
        unit: "",
        doc: "number of nodes",
        get: |session, object| Ok(Value::Int(mesh(session, object)?.0.nodes.len() as i64)),
        set: None,
    }],
    methods: &[
        Method {
            name: "node",
            args: &[
                Arg::new("n", Kind::Integer { min: 0, max: i64::MAX }, "node number"),
                Arg::new("x", Kind::NUMBER, "new coordinate").unit("m").or(Default::Absent("as it is")),
                Arg::new("y", Kind::NUMBER, "new coordinate").unit("m").or(Default::Absent("as it is")),
                Arg::new("z", Kind::NUMBER, "new coordinate").unit("m").or(Default::Absent("as it is")),
            ],
            returns: "the tuple (x, y, z)",
            doc: "Current place of a node; moves it first if coordinates are given. BODY checks the elements again.",
            run: node,
        },
        Method {
            name: "nodes_on_surface",
            args: &[Arg::new("surfid", Kind::ID, "surface id")],
            returns: "an ascending list of node numbers, None if there are none",
            doc: "Nodes of the faces with a surface id.",
            run: nodes_on_surface,
        },
        Method {
            name: "get_data",
            args: &[],
            returns: "the tuple (nodes, elements, surfids), so that MESH(*mesh.get_data()) is the same mesh",
            doc: "The lists that MESH takes. The surface id of all faces is 0; faces with another one follow.",
            run: get_data,
        },
        Method {
            name: "inter_element_faces",
            args: &[],
            returns: "a list of lists of node numbers",
            doc: "Faces that two elements share, each once, outward of the element of the smaller number.",
            run: inter_element_faces,
        },
        Method {
            name: "inter_element_faces_on_plane",
            args: &[
                Arg::new("point", Kind::Vector(3), "point of the plane").unit("m"),
                Arg::new("normal", Kind::Vector(3), "normal of the plane, of any length"),
                Arg::new("ref", Kind::Switch, "whether nodes are taken in the reference configuration")
                    .or(Default::Absent("True")),
                Arg::new("eps", Kind::POSITIVE, "greatest distance of a node from the plane")
                    .unit("m")
                    .or(Default::Absent("the geometric epsilon")),
            ],
            returns: "a list of lists of node numbers",
            doc: "Faces that two elements share and whose nodes are all on a plane. A MESH that belongs to no body is where it \
                  was put last in both configurations.",
            run: inter_element_faces_on_plane,
        },
        Method {
            name: "surface_integration_points",
            args: &[Arg::new("surfid", Kind::ID, "surface id; 2147483647: all").or(Default::Absent("all"))],
            returns: "a list of tuples (x, y, z)",
            doc: "Integration points of the boundary faces in the reference configuration, by elements and faces: one in the \
                  middle of a triangle, 2 x 2 Gauss points of a quadrilateral.",
            run: surface_integration_points,
        },
        Method {
            name: "volume_integration_points",
            args: &[Arg::new("volid", Kind::ID, "volume id; 2147483647: all").or(Default::Absent("all"))],
            returns: "a list of tuples (x, y, z)",
            doc: "Integration points of the elements in the reference configuration: 4 of a tetrahedron, 8 of a pyramid, 6 of \
                  a wedge, 8 of a hexahedron.",
            run: volume_integration_points,
        },
        Method {
            name: "set_volid",
            args: &[Arg::new("volid", Kind::ID, "volume id")],
            returns: "the volume id",
            doc: "Sets the volume id of all elements.",
            run: set_volid,
        },
    ],
};

static SPHERE: Class = Class {
    name: "SPHERE",
    chapter: Chapter::Geometry,
    doc: "A ball.",
    members: &[
        Member {
            name: "center",
            unit: "m",
            doc: "center now, a tuple",
            get: |session, object| {
                let (sphere, shape) = sphere(session, object)?;
                Ok(point(shape, &sphere.center))
            },
            set: None,
        },
        Member {
            name: "radius",
            unit: "m",
            doc: "radius",
            get: |session, object| Ok(Value::Real(sphere(session, object)?.0.radius)),
            set: None,
        },
    ],
    methods: &[],
};

static ELLIP: Class = Class {
    name: "ELLIP",
    chapter: Chapter::Geometry,
    doc: "An ellipsoid.",
    members: &[
        Member {
            name: "center",
            unit: "m",
            doc: "center now, a tuple",
            get: |session, object| {
                let (ellipsoid, shape) = ellipsoid(session, object)?;
                Ok(point(shape, &ellipsoid.center()))
            },
            set: None,
        },
        Member {
            name: "radii",
            unit: "m",
            doc: "half axes, a tuple",
            get: |session, object| Ok(Value::tuple(ellipsoid(session, object)?.0.radii().iter().copied())),
            set: None,
        },
        Member {
            name: "rot",
            unit: "1",
            doc: "unit vectors along the half axes, one after another, a tuple of 9",
            get: |session, object| {
                let (ellipsoid, shape) = ellipsoid(session, object)?;
                let axes = shape.rotation * ellipsoid.half_axes();
                Ok(Value::tuple(axes.column_iter().flat_map(|axis| <[f64; 3]>::from(axis.normalize()))))
            },
            set: None,
        },
    ],
    methods: &[],
};

fn point(shape: &Shape, own: &Vec3) -> Value {
    Value::tuple((shape.rotation * own + shape.shift).iter().copied())
}

fn first(objects: &mut Objects, object: Handle) -> Result<&Shape, Fault> {
    let first = objects.shapes.get(object)?.parts.first();
    first.ok_or_else(|| Fault::value("shape is empty"))
}

fn other_class(object: Handle) -> Fault {
    Fault::runtime(format!(
        "{} holds another kind of geometry: a bug of this program; do without its members",
        object.class
    ))
}

fn convex(objects: &mut Objects, object: Handle) -> Result<(&Convex, &Shape), Fault> {
    let shape = first(objects, object)?;
    Ok((shape.geometry.convex().ok_or_else(|| other_class(object))?, shape))
}

fn sphere(objects: &mut Objects, object: Handle) -> Result<(&Sphere, &Shape), Fault> {
    let shape = first(objects, object)?;
    Ok((shape.geometry.sphere().ok_or_else(|| other_class(object))?, shape))
}

fn ellipsoid(objects: &mut Objects, object: Handle) -> Result<(&Ellipsoid, &Shape), Fault> {
    let shape = first(objects, object)?;
    Ok((shape.geometry.ellipsoid().ok_or_else(|| other_class(object))?, shape))
}

fn mesh(objects: &mut Objects, object: Handle) -> Result<(&Mesh, &Shape), Fault> {
    let shape = first(objects, object)?;
    Ok((shape.geometry.mesh().ok_or_else(|| other_class(object))?, shape))
}

/// The mesh to be changed: of this handle alone, and at its own place.
fn own_mesh(objects: &mut Objects, object: Handle) -> Result<&mut Mesh, Fault> {
    let slot = objects.shapes.own(object)?;
    let shape = slot.parts.first_mut().ok_or_else(|| Fault::value("shape is empty"))?;
    let (rotation, shift) = (shape.rotation, shape.shift);
    let mesh = Arc::make_mut(&mut shape.geometry).mesh_mut().ok_or_else(|| other_class(object))?;
    if rotation != Mat3::identity() || shift != Vec3::zeros() {
        mesh.nodes.iter_mut().for_each(|x| *x = rotation * *x + shift);
        (shape.rotation, shape.shift) = (Mat3::identity(), Vec3::zeros());
    }
    Ok(mesh)
}

fn row(n: i64, count: usize, what: &str) -> Result<usize, Fault> {
    let row = usize::try_from(n).ok().filter(|n| *n < count);
    row.ok_or_else(|| Fault::value(format!("{what} {n} does not exist; there are 0 to {}", count.saturating_sub(1))))
}

fn vertex(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    let (convex, shape) = convex(session, object)?;
    let n = row(args.int("n")?, convex.vertices.len(), "vertex")?;
    Ok(point(shape, &convex.vertices[n]))
}

fn node(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    let (seen, shape) = mesh(session, object)?;
    let n = row(args.int("n")?, seen.nodes.len(), "node")?;
    let mut place = shape.rotation * seen.nodes[n] + shape.shift;
    let new = ["x", "y", "z"].map(|name| args.maybe_real(name));
    if new.iter().any(Option::is_some) {
        for (old, new) in place.iter_mut().zip(new) {
            *old = new.unwrap_or(*old);
        }
        own_mesh(session, object)?.nodes[n] = place;
        session.shapes.own(object)?.edited = true;
    }
    Ok(Value::tuple(place.iter().copied()))
}

fn nodes_on_surface(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    let nodes = mesh(session, object)?.0.nodes_on_surface(args.id("surfid")?);
    if nodes.is_empty() {
        return Ok(Value::None);
    }
    Ok(Value::Ints(nodes.into_iter().map(i64::from).collect()))
}

/// The mesh in the order in which members list it: its own, or that of the original under `--compat mesh_order`.
fn listed<'a>(objects: &Objects, mesh: &'a Mesh, first: First) -> Cow<'a, Mesh> {
    if objects.environment.compat.iter().any(|name| name == "mesh_order") {
        Cow::Owned(in_original_order(mesh, first))
    } else {
        Cow::Borrowed(mesh)
    }
}

fn get_data(session: &mut Session, object: Handle, _: &Args) -> Result<Value, Fault> {
    let shape = first(session, object)?.clone();
    let mesh = listed(session, shape.geometry.mesh().ok_or_else(|| other_class(object))?, First::Inner);
    let nodes = mesh.nodes.iter().flat_map(|x| <[f64; 3]>::from(shape.rotation * x + shape.shift));
    let mut elements = Vec::new();
    for element in &mesh.elements {
        elements.push(element.nodes().len() as i64);
        elements.extend(element.nodes().iter().map(|n| i64::from(*n)));
        elements.push(i64::from(element.volid));
    }
    Ok(Value::Tuple(vec![Value::Reals(nodes.collect()), Value::Ints(elements), Value::Ints(surfids(&mesh))]))
}

/// `[0, n, n1 ... nn, surface id, ...]` of the faces with an id other than 0.
fn surfids(mesh: &Mesh) -> Vec<i64> {
    let mut list = vec![0];
    for face in mesh.boundary.iter().filter(|face| face.surfid != 0) {
        let nodes = mesh.elements[face.element as usize].face(face.local as usize);
        list.push(nodes.len() as i64);
        list.extend(nodes.map(i64::from));
        list.push(i64::from(face.surfid));
    }
    list
}

fn set_volid(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    let volid = narrow(args.int("volid")?)?;
    let mesh = own_mesh(session, object)?;
    mesh.elements.iter_mut().for_each(|element| element.volid = volid);
    Ok(Value::Int(i64::from(volid)))
}

fn inter_element_faces(session: &mut Session, object: Handle, _: &Args) -> Result<Value, Fault> {
    let shape = first(session, object)?.clone();
    let mesh = listed(session, shape.geometry.mesh().ok_or_else(|| other_class(object))?, First::Boundary);
    Ok(list_of_faces(mesh.inner_faces()))
}

fn inter_element_faces_on_plane(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    let (origin, normal) = (args.vec3("point")?, args.vec3("normal")?);
    let normal = normal
        .try_normalize(0.0)
        .ok_or_else(|| Fault::value("normal: is (0, 0, 0); give a vector that is not zero"))?;
    let tolerance = args.maybe_real("eps").unwrap_or(session.epsilon);
    let shape =
        if args.maybe_on("ref").unwrap_or(true) { session.shapes.reference(object)? } else { first(session, object)? };
    let mesh = shape.geometry.mesh().ok_or_else(|| other_class(object))?;
    let on = |&n: &u32| normal.dot(&(shape.point(&mesh.nodes[n as usize]) - origin)).abs() <= tolerance;
    Ok(list_of_faces(mesh.inner_faces().into_iter().filter(|face| face.iter().all(on)).collect()))
}

fn surface_integration_points(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    integration_points(session, object, args, "surfid", surface_points)
}

fn volume_integration_points(session: &mut Session, object: Handle, args: &Args) -> Result<Value, Fault> {
    integration_points(session, object, args, "volid", volume_points)
}

fn integration_points(
    session: &mut Session,
    object: Handle,
    args: &Args,
    name: &str,
    points: fn(&Mesh, Option<i32>) -> Vec<Vec3>,
) -> Result<Value, Fault> {
    let id = args.maybe_int(name).map(narrow).transpose()?.filter(|id| *id != ANY);
    let shape = session.shapes.reference(object)?.clone();
    let mesh = listed(session, shape.geometry.mesh().ok_or_else(|| other_class(object))?, First::Boundary);
    let place = |x: Vec3| Value::tuple(shape.point(&x).iter().copied());
    Ok(Value::List(points(&mesh, id).into_iter().map(place).collect()))
}

fn list_of_faces(faces: Vec<Vec<u32>>) -> Value {
    let face = |nodes: Vec<u32>| Value::Ints(nodes.into_iter().map(i64::from).collect());
    Value::List(faces.into_iter().map(face).collect())
}

/// Checks meshes whose nodes were moved by hand.
pub fn recheck(session: &mut Session, object: Handle) -> Result<(), Fault> {
    if !session.shapes.get(object)?.edited {
        return Ok(());
    }
    RawMesh::from(mesh(session, object)?.0).mesh()?;
    session.shapes.get(object)?.edited = false;
    Ok(())
}
