//! The datasets of a model file, under `/domains/<k>`.

use crate::schema::{column, Column, Kind::*};

const SURFACE: &str = "surface id; 2147483647: any surface";

/// Under `/domains/<k>`.
pub const COLUMNS: &[Column] = &[
    column("timeseries/label", Text, ("ts", 1), "1", "label of the series, '' if none"),
    column("timeseries/offset", U64, ("ts + 1", 1), "1", "points of series i are rows offset[i] .. offset[i+1]"),
    column("timeseries/t", F64, ("points", 1), "s", "times, strictly increasing within a series"),
    column("timeseries/v", F64, ("points", 1), "1", "values, in the unit of what the series drives"),
    column("timeseries/reading", U8, ("ts", 1), "1", "what the series is of its points; see below")
        .names(r#"{"VALUE": 0, "DERIVATIVE": 1, "INTEGRAL": 2}"#)
        .optional(),
    column("materials/bulk/label", Text, ("b", 1), "1", "label"),
    column("materials/bulk/model", Text, ("b", 1), "1", "material model: KIRCHHOFF").optional(),
    column("materials/bulk/young", F64, ("b", 1), "Pa", "Young's modulus > 0"),
    column("materials/bulk/poisson", F64, ("b", 1), "1", "Poisson's ratio, > -1 and <= 1/2 (of bodies that deform < 1/2)"),
    column("materials/bulk/density", F64, ("b", 1), "kg/m3", "mass density > 0"),
    column("materials/bulk/tensile", F64, ("b", 1), "Pa", "tensile strength, may be inf").optional(),
    column("materials/bulk/fracene", F64, ("b", 1), "J/m2", "fracture energy, may be inf").optional(),
    column("materials/surface/label", Text, ("s", 1), "1", "label"),
    column("materials/surface/surf1", I32, ("s", 1), "1", SURFACE),
    column("materials/surface/surf2", I32, ("s", 1), "1", SURFACE),
    column("materials/surface/model", Text, ("s", 1), "1", "contact law: SIGNORINI_COULOMB or SPRING_DASHPOT"),
    column("materials/surface/friction", F64, ("s", 1), "1", "Coulomb friction >= 0"),
    column("materials/surface/cohesion", F64, ("s", 1), "N/m2", "cohesion >= 0").optional(),
    column("materials/surface/restitution", F64, ("s", 1), "1", "Newton restitution in [0, 1]").optional(),
    column("materials/surface/spring", F64, ("s", 1), "N/m", "spring per contact point >= 0").optional(),
    column("materials/surface/dashpot", F64, ("s", 1), "N s/m", "dashpot per contact point; negative: critical")
        .optional(),
    column("materials/surface/hpow", F64, ("s", 1), "1", "Hertz power >= 1").optional(),
    column("meshes/node_offset", U64, ("m + 1", 1), "1", "nodes of mesh i are rows node_offset[i] .. node_offset[i+1]"),
    column("meshes/elem_offset", U64, ("m + 1", 1), "1", "likewise for elem_type, elem_volid"),
    column("meshes/face_offset", U64, ("m + 1", 1), "1", "likewise for face_conn, face_surfid").optional(),
    column("meshes/nodes", F64, ("nodes", 3), "m", "coordinates").frame("reference"),
    column("meshes/elem_type", U8, ("elements", 1), "1", "nodes of the element: 4, 5, 6 or 8; 10: for later use")
        .names(r#"{"TET": 4, "PYRAMID": 5, "WEDGE": 6, "HEX": 8, "TET10": 10}"#),
    column("meshes/elem_volid", I32, ("elements", 1), "1", "volume id").optional(),
    column("meshes/conn_offset", U64, ("elements + 1", 1), "1", "nodes of element e are conn[conn_offset[e] ..]")
        .optional(),
    column("meshes/conn", I32, ("conn", 1), "1", "node numbers, from 0 within the mesh"),
    column("meshes/face_conn", I32, ("faces", 4), "1", "corners of a boundary face in any order, -1 fills a triangle")
        .optional(),
    column("meshes/face_surfid", I32, ("faces", 1), "1", "surface id of that face").optional(),
    column("meshes/global_surfid", I32, ("m", 1), "1", "surface id of the boundary faces not listed").optional(),
    column("convex/vert_offset", U64, ("c + 1", 1), "1", "vertices of polyhedron i"),
    column("convex/face_offset", U64, ("c + 1", 1), "1", "faces of polyhedron i"),
    column("convex/verts", F64, ("vertices", 3), "m", "coordinates").frame("reference"),
    column(
        "convex/face_conn_offset",
        U64,
        ("cfaces + 1", 1),
        "1",
        "vertices of face f are face_conn[face_conn_offset[f] ..]",
    ),
    column(
        "convex/face_conn",
        I32,
        ("cconn", 1),
        "1",
        "vertex numbers from 0 within the polyhedron, counter-clockwise from outside",
    ),
    column("convex/face_surfid", I32, ("cfaces", 1), "1", "surface id").optional(),
    column("convex/volid", I32, ("c", 1), "1", "volume id").optional(),
    column("spheres/center", F64, ("sp", 3), "m", "centre").frame("reference"),
    column("spheres/radius", F64, ("sp", 1), "m", "radius > 0"),
    column("spheres/volid", I32, ("sp", 1), "1", "volume id").optional(),
    column("spheres/surfid", I32, ("sp", 1), "1", "surface id").optional(),
    column("shapes/kind", U8, ("S", 1), "1", "table of the geometry").names(r#"{"MESH": 0, "CONVEX": 1, "SPHERE": 2}"#),
    column("shapes/index", I64, ("S", 1), "1", "row of that table"),
    column("shapes/transform", F64, ("S", 12), "m", "rotation column-wise (9), then shift (3): X = rotation x + shift")
        .frame("reference")
        .optional(),
    column("bodies/id", U64, ("B", 1), "1", "1, 2, … in order of creation"),
    column("bodies/label", Text, ("B", 1), "1", "label, '' if none").optional(),
    column("bodies/kind", U8, ("B", 1), "1", "kind of body")
        .names(r#"{"OBSTACLE": 0, "RIGID": 1, "PSEUDO_RIGID": 2, "FINITE_ELEMENT": 3}"#),
    column("bodies/scheme", U8, ("B", 1), "1", "time integration")
        .names(r#"{"DEFAULT": 0, "RIG_POS": 1, "RIG_NEG": 2, "RIG_IMP": 3, "DEF_EXP": 4, "DEF_LIM": 5}"#)
        .optional(),
    column("bodies/flags", U8, ("B", 1), "1", "bit 0: contact of the body with itself, bit 2: rotation disabled")
        .optional(),
    column(
        "bodies/shape_offset",
        U64,
        ("B + 1", 1),
        "1",
        "shapes of body i are rows shape_offset[i] .. shape_offset[i+1]",
    ),
    column("bodies/material", I64, ("B", 1), "1", "row of materials/bulk"),
    column("bodies/damping", F64, ("B", 1), "s", "stiffness-proportional damping >= 0").optional(),
    column("bodies/mass", F64, ("B", 1), "kg", "mass").optional(),
    column("bodies/volume", F64, ("B", 1), "m3", "volume").optional(),
    column("bodies/center", F64, ("B", 3), "m", "mass centre").frame("reference").optional(),
    column(
        "bodies/tensor",
        F64,
        ("B", 9),
        "kg m2",
        "inertia tensor of rigid bodies and obstacles, Euler tensor of the others; column-wise",
    )
    .frame("reference")
    .optional(),
    column(
        "bodies/conf_offset",
        U64,
        ("B + 1", 1),
        "1",
        "initial configuration of body i; empty: undeformed, in place",
    )
    .optional(),
    column(
        "bodies/conf",
        F64,
        ("conf", 1),
        "1",
        "rigid: rotation column-wise (9), mass centre (3); pseudo-rigid: F row-wise (9), centre (3)",
    )
    .optional(),
    column("bodies/velo_offset", U64, ("B + 1", 1), "1", "initial velocity of body i; empty: at rest").optional(),
    column(
        "bodies/velo",
        F64,
        ("velo", 1),
        "1",
        "rigid: referential angular (3), spatial linear (3) velocity; pseudo-rigid: dF/dt row-wise (9), centre (3)",
    )
    .optional(),
    column(
        "bodies/hash",
        U64,
        ("B", 2),
        "1",
        "first 128 bits of the SHA-256 of id, label, kind, mass, volume, center, tensor",
    )
    .optional(),
    column("bodies/source_line", U32, ("B", 1), "1", "line of the deck that made the body, 0 unknown").optional(),
    column("gravity", I64, ("3", 1), "1", "rows of timeseries for the components of gravity [m/s2]; absent: none")
        .optional(),
    column("contact_exclude/bodies", U64, ("pairs", 2), "1", "pairs of body ids that never touch").optional(),
    column("contact_exclude/surfaces", I32, ("pairs", 2), "1", "pairs of surface ids that never touch").optional(),
    column("display_points/body", U64, ("dp", 1), "1", "id of the body that carries a point of DISPLAY_POINT")
        .optional(),
    column("display_points/point", F64, ("dp", 3), "m", "the point").frame("reference").optional(),
    column("display_points/label", Text, ("dp", 1), "1", "its label, '' if none").optional(),
    column("program/steps", Text, ("P", 1), "1", "operations in order, one JSON object each"),
];

/// Under `/provenance`.
pub const PROVENANCE: &[Column] = &[
    column("provenance/deck", Text, ("1", 1), "1", "text of the deck").optional(),
    column("provenance/inputs/path", Text, ("f", 1), "1", "file that the deck opened").optional(),
    column("provenance/inputs/size", U64, ("f", 1), "B", "its size").optional(),
    column("provenance/inputs/sha256", Text, ("f", 1), "1", "its SHA-256").optional(),
    column("provenance/runs", Text, ("p", 1), "1", "one JSON object for each tool that touched the file").optional(),
];
