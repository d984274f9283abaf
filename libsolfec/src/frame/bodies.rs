//! Rows of bodies in a frame: a table for each way in which a body is shown.

use std::ops::Range;

crate::table! {
    /// Rows of rigid bodies and obstacles in a frame.
    pub struct RigidRows("rigid bodies", "n") {
        body: u32 = "rigid/body", "1", "catalogue row of the body; rows of a frame ascend by (shape class, id)";
        x: [f64; 3] = "rigid/x", "m", "mass centre" .frame("spatial") .level("t+h");
        rot: [f64; 9] = "rigid/rot", "1", "rotation, column-wise" .frame("spatial") .level("t+h");
        v: [f64; 3] = "rigid/v", "m/s", "velocity of the mass centre" .frame("spatial") .level("t+h");
        omega: [f64; 3] = "rigid/omega", "rad/s", "angular velocity" .frame("reference") .level("t+h");
        energy: [f64; 6] = "rigid/energy", "J", "kinetic, internal, external, contact, friction, dissipated"
            .level("t+h");
    }
}

crate::table! {
    /// Rows of pseudo-rigid bodies.
    pub struct PseudoRows("pseudo-rigid bodies", "p") {
        body: u32 = "pseudo/body", "1", "catalogue row of the body; rows of a frame ascend by (shape class, id)";
        x: [f64; 3] = "pseudo/x", "m", "mass centre" .frame("spatial") .level("t+h");
        f: [f64; 9] = "pseudo/F", "1", "deformation gradient, row-wise" .frame("spatial") .level("t+h");
        v: [f64; 3] = "pseudo/v", "m/s", "velocity of the mass centre" .frame("spatial") .level("t+h");
        fdot: [f64; 9] = "pseudo/Fdot", "1/s", "its rate, row-wise" .frame("spatial") .level("t+h");
        energy: [f64; 6] = "pseudo/energy", "J", "kinetic, internal, external, contact, friction, dissipated"
            .level("t+h");
    }
}

crate::table! {
    /// Rows of bodies that are shown by the nodes of their meshes.
    pub struct NodalRows("nodal bodies", "d") {
        body: u32 = "nodal/body", "1", "catalogue row of the body; rows of a frame ascend by (shape class, id)";
        nodes: u32 = "nodal/nodes", "1", "number of its nodes; their rows in node/* follow those of the body before";
        energy: [f64; 6] = "nodal/energy", "J", "kinetic, internal, external, contact, friction, dissipated"
            .level("t+h");
    }
}

crate::table! {
    /// Nodes of the bodies of [`NodalRows`], in the order of the nodes of their meshes.
    pub struct NodeRows("nodes", "j") {
        x: [f64; 3] = "node/x", "m", "place of the node" .frame("spatial") .level("t+h");
        v: [f64; 3] = "node/v", "m/s", "its velocity" .frame("spatial") .level("t+h");
    }
}

crate::table! {
    /// Elements of bodies of [`NodalRows`] whose material has changed since time 0, body after body, in the order of
    /// the elements of their meshes.
    pub struct LawRows("elements whose material changes", "l") {
        body: u32 = "laws/body", "1", "catalogue row of the body";
        young: f64 = "laws/young", "Pa", "Young's modulus, mean of the element" .level("t+h/2");
        poisson: f64 = "laws/poisson", "1", "Poisson's ratio, mean of the element" .level("t+h/2");
    }
}

crate::table! {
    /// Rigid and pseudo-rigid bodies with other characteristics than those of the model, since BODY_CHARS after the
    /// first RUN.
    pub struct CharsRows("bodies with new characteristics", "b") row CharsRow {
        body: u32 = "chars/body", "1", "catalogue row of the body" .optional();
        mass: f64 = "chars/mass", "kg", "mass" .level("t+h") .optional();
        volume: f64 = "chars/volume", "m3", "volume" .level("t+h") .optional();
        center: [f64; 3] = "chars/center", "m", "mass centre, whose place is rigid/x or pseudo/x"
            .frame("reference") .level("t+h") .optional();
        tensor: [f64; 9] = "chars/tensor", "kg m2", "inertia tensor, Euler tensor of pseudo-rigid bodies"
            .frame("reference") .level("t+h") .optional();
    }
}

impl CharsRows {
    /// The row of a body.
    pub fn of(&self, body: u32) -> Option<CharsRow> {
        self.body.iter().position(|b| *b == body).map(|row| self.row(row))
    }
}

impl LawRows {
    /// The rows of a body.
    pub fn of(&self, body: u32) -> Range<usize> {
        let start = self.body.iter().position(|b| *b == body).unwrap_or(self.body.len());
        let count = self.body[start..].iter().take_while(|b| **b == body).count();
        start..start + count
    }
}

impl NodalRows {
    /// Rows in [`NodeRows`] of the nodes of each body.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let mut end = 0;
        let mut next = |&count: &u32| {
            let start = end;
            end += count as usize;
            start..end
        };
        self.nodes.iter().map(&mut next).collect()
    }
}
