//! Rows of contacts and user constraints in a frame.

/// Slave column of a constraint with one body.
pub const NO_BODY: u32 = u32::MAX;

/// Row of a constraint that the model has no row for: a contact.
pub const NO_ROW: u32 = u32::MAX;

crate::table! {
    /// Rows of constraints, by (kind, master id, slave id, id). Local components are (T1, T2, N).
    pub struct ConstraintRows("constraints", "c") {
        id: u64 = "con/id", "1", "id of the constraint, never used again";
        kind: u8 = "con/kind", "1", "kind; rows of a frame ascend by (kind, master id, slave id, id)"
            .names(r#"{"CONTACT": 0, "FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#);
        row: u32 = "con/row", "1", "row of constraints/* of the model, 4294967295: a contact";
        master: u32 = "con/master", "1", "catalogue row of the master body";
        slave: u32 = "con/slave", "1", "catalogue row of the slave body, 4294967295: none";
        point: [f64; 3] = "con/point", "m", "point" .frame("spatial") .level("t+h/2");
        normal: [f64; 3] = "con/normal", "1", "unit normal, from slave to master" .frame("spatial") .level("t+h/2");
        tangent1: [f64; 3] = "con/tangent1", "1", "first tangent" .frame("spatial") .level("t+h/2");
        tangent2: [f64; 3] = "con/tangent2", "1", "second tangent; (t1, t2, n) is left-handed for contacts"
            .frame("spatial") .level("t+h/2");
        r: [f64; 3] = "con/R", "N", "average reaction (T1, T2, N)" .frame("local") .level("[t, t+h]");
        u: [f64; 3] = "con/U", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t+h");
        v: [f64; 3] = "con/V", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t");
        force: [f64; 3] = "con/force", "N", "reaction on the master" .frame("spatial") .level("[t, t+h]");
        gap: f64 = "con/gap", "m", "gap, negative is penetration" .level("t+h/2");
        area: f64 = "con/area", "m2", "contact area" .level("t+h/2");
        merit: f64 = "con/merit", "1", "part of the merit function";
        material: i16 = "con/material", "1", "row of materials/surface of the model, -1 where not a contact";
        surf: [i32; 2] = "con/surf", "1", "surface ids of (master, slave), 0 where not a contact";
        state: u8 = "con/state", "1", "bit 0: cohesive";
        aux: [f64; 4] = "con/aux", "1", "contact: cohesive strength in N, then zeros; link: vector from slave to master (3), length; spring: stroke, its rate, least and largest stroke; driven: prescribed velocity (1 or 3)";
    }
}
