//! Rows of contacts and user constraints in a frame.

use crate::math::{local_base, Mat3, Vec3};

/// Number of contacts among the kinds of constraints.
pub const CONTACT: u8 = 0;

/// Slave column of a constraint with one body.
pub const NO_BODY: u32 = u32::MAX;

/// Row of a constraint that the model has no row for: a contact.
pub const NO_ROW: u32 = u32::MAX;

crate::table! {
    /// Rows of constraints, by (kind, master id, slave id, id). Local components are (T1, T2, N).
    pub struct ConstraintRows("constraints", "c") {
        id: u64 = "con/id", "1", "id of the constraint, never used again" .packed();
        kind: u8 = "con/kind", "1", "kind; rows of a frame ascend by (kind, master id, slave id, id)"
            .names(r#"{"CONTACT": 0, "FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#) .packed();
        row: u32 = "con/row", "1", "row of constraints/* of the model, 4294967295: a contact" .packed();
        master: u32 = "con/master", "1", "catalogue row of the master body" .packed();
        slave: u32 = "con/slave", "1", "catalogue row of the slave body, 4294967295: none" .packed();
        point: [f64; 3] = "con/point", "m", "point" .frame("spatial") .level("t+h/2");
        normal: [f64; 3] = "con/normal", "1", "unit normal, from slave to master" .frame("spatial") .level("t+h/2");
        user_tangents: [f64; 6] = "con/user_tangents", "1", "tangents t1, t2 of a user constraint; 0 for a contact, whose tangents follow from its normal"
            .frame("spatial") .level("t+h/2") .packed();
        r: [f64; 3] = "con/R", "N", "average reaction (T1, T2, N) of the step, acting in the configuration of mid-step"
            .frame("local") .level("[t, t+h]");
        u: [f64; 3] = "con/U", "m/s", "relative velocity (T1, T2, N) in the configuration of mid-step" .frame("local") .level("t+h");
        v: [f64; 3] = "con/V", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t");
        force: [f64; 3] = "con/force", "N", "reaction on the master" .frame("spatial") .level("[t, t+h]");
        gap: f64 = "con/gap", "m", "gap, negative is penetration" .level("t+h/2");
        area: f64 = "con/area", "m2", "contact area" .level("t+h/2");
        merit: f64 = "con/merit", "1", "part of the merit function";
        material: i16 = "con/material", "1", "row of materials/surface of the model, -1 where not a contact" .packed();
        surf: [i32; 2] = "con/surf", "1", "surface ids of (master, slave), 0 where not a contact" .packed();
        state: u8 = "con/state", "1", "bit 0: cohesive" .packed();
        aux: [f64; 4] = "con/aux", "1", "contact: cohesive strength in N, then zeros; link: vector from slave to master (3), length; spring: stroke, its rate, least and largest stroke; driven: prescribed velocity (1 or 3)" .packed();
    }
}

impl ConstraintRows {
    /// Local base (t1, t2, n) of row `i`, axes in columns; needs kind, normal and user_tangents.
    pub fn base(&self, i: usize) -> Mat3 {
        let normal = Vec3::from(self.normal[i]);
        if self.kind[i] == CONTACT {
            return local_base(&normal);
        }
        let tangent = |k: usize| Vec3::from_column_slice(&self.user_tangents[i][k..k + 3]);
        Mat3::from_columns(&[tangent(0), tangent(3), normal])
    }
}
