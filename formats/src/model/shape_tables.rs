//! The tables of shapes: geometries of each kind, and placements.

solfec::table! {
    /// Where the tables of each mesh are.
    pub(super) struct MeshOffsets("meshes", "m + 1") {
        nodes: u64 = "meshes/node_offset", "1", "nodes of mesh i are rows node_offset[i] .. node_offset[i+1]";
        elements: u64 = "meshes/elem_offset", "1", "likewise for elem_type, elem_volid";
        faces: u64 = "meshes/face_offset", "1", "likewise for face_conn, face_surfid" .optional();
    }
}

solfec::table! {
    /// Nodes of meshes.
    pub(super) struct NodeRows("nodes", "nodes") {
        node: [f64; 3] = "meshes/nodes", "m", "coordinates" .frame("reference");
    }
}

solfec::table! {
    /// Elements of meshes.
    pub(super) struct ElementRows("elements", "elements") {
        kind: u8 = "meshes/elem_type", "1", "nodes of the element: 4, 5, 6 or 8; 10: for later use"
            .names(r#"{"TET": 4, "PYRAMID": 5, "WEDGE": 6, "HEX": 8, "TET10": 10}"#);
        volid: i32 = "meshes/elem_volid", "1", "volume id" .optional();
    }
}

solfec::table! {
    /// Where the node numbers of each element are.
    pub(super) struct ConnOffsets("elements", "elements + 1") {
        conn: u64 = "meshes/conn_offset", "1", "nodes of element e are conn[conn_offset[e] ..]" .optional();
    }
}

solfec::table! {
    /// Node numbers of elements.
    pub(super) struct ConnRows("node numbers", "conn") {
        conn: i32 = "meshes/conn", "1", "node numbers, from 0 within the mesh";
    }
}

solfec::table! {
    /// Boundary faces with surface ids.
    pub(super) struct FaceRows("boundary faces", "faces") {
        conn: [i32; 4] = "meshes/face_conn", "1", "corners of a boundary face in any order, -1 fills a triangle" .optional();
        surfid: i32 = "meshes/face_surfid", "1", "surface id of that face" .optional();
    }
}

solfec::table! {
    /// Meshes as a whole.
    pub(super) struct MeshRows("meshes", "m") {
        surfid: i32 = "meshes/global_surfid", "1", "surface id of the boundary faces not listed" .optional();
    }
}

solfec::table! {
    /// Where the tables of each polyhedron are.
    pub(super) struct ConvexOffsets("polyhedra", "c + 1") {
        vertices: u64 = "convex/vert_offset", "1", "vertices of polyhedron i";
        faces: u64 = "convex/face_offset", "1", "faces of polyhedron i";
    }
}

solfec::table! {
    /// Vertices of polyhedra.
    pub(super) struct VertexRows("vertices", "vertices") {
        vertex: [f64; 3] = "convex/verts", "m", "coordinates" .frame("reference");
    }
}

solfec::table! {
    /// Where the vertex numbers of each face are.
    pub(super) struct FaceConnOffsets("faces", "cfaces + 1") {
        conn: u64 = "convex/face_conn_offset", "1", "vertices of face f are face_conn[face_conn_offset[f] ..]";
    }
}

solfec::table! {
    /// Vertex numbers of faces.
    pub(super) struct FaceConnRows("vertex numbers", "cconn") {
        conn: i32 = "convex/face_conn", "1", "vertex numbers from 0 within the polyhedron, counter-clockwise from outside";
    }
}

solfec::table! {
    /// Faces of polyhedra.
    pub(super) struct ConvexFaceRows("faces", "cfaces") {
        surfid: i32 = "convex/face_surfid", "1", "surface id" .optional();
    }
}

solfec::table! {
    /// Polyhedra as a whole.
    pub(super) struct ConvexRows("polyhedra", "c") {
        volid: i32 = "convex/volid", "1", "volume id" .optional();
    }
}

solfec::table! {
    /// Spheres.
    pub(super) struct SphereRows("spheres", "sp") {
        center: [f64; 3] = "spheres/center", "m", "centre" .frame("reference");
        radius: f64 = "spheres/radius", "m", "radius > 0";
        volid: i32 = "spheres/volid", "1", "volume id" .optional();
        surfid: i32 = "spheres/surfid", "1", "surface id" .optional();
    }
}

solfec::table! {
    /// Ellipsoids.
    pub(super) struct EllipsoidRows("ellipsoids", "el") {
        center: [f64; 3] = "ellipsoids/center", "m", "centre" .frame("reference");
        half_axes: [f64; 9] = "ellipsoids/half_axes", "m", "half axes one after another, at right angles"
            .frame("reference");
        volid: i32 = "ellipsoids/volid", "1", "volume id" .optional();
        surfid: i32 = "ellipsoids/surfid", "1", "surface id" .optional();
    }
}

solfec::table! {
    /// Shapes: geometries that are placed.
    pub(super) struct PlacedRows("shapes", "S") {
        kind: u8 = "shapes/kind", "1", "table of the geometry" .names(r#"{"MESH": 0, "CONVEX": 1, "SPHERE": 2, "ELLIP": 3}"#);
        index: i64 = "shapes/index", "1", "row of that table";
        transform: [f64; 12] = "shapes/transform", "m", "rotation column-wise (9), then shift (3): X = rotation x + shift"
            .frame("reference") .optional();
    }
}
