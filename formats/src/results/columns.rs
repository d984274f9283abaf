//! The datasets of results (commands-and-results.md E.4): those of segments, which the master repeats as virtual datasets,
//! and those of the master alone.

use crate::schema::{column, Column, Kind::*};

/// Under `/domains/<k>` of a segment and of the master. Row symbols: F frames, n rows of rigid bodies, p of
/// pseudo-rigid bodies, c of constraints, e of events, T time steps.
pub const COLUMNS: &[Column] = &[
    column("frames/index", U64, ("F", 1), "1", "number of the frame, from 0 over all runs"),
    column("frames/time", F64, ("F", 1), "s", "end of the step of the frame"),
    column("frames/step_count", U64, ("F", 1), "1", "time steps done"),
    column("frames/h", F64, ("F", 1), "s", "step that ended at the frame"),
    column("frames/run", U32, ("F", 1), "1", "number of the RUN, from 0"),
    column("frames/row_rigid", U64, ("F + 1", 1), "1", "rows of frame k in rigid/* are row_rigid[k] .. row_rigid[k+1]"),
    column("frames/row_pseudo", U64, ("F + 1", 1), "1", "likewise for pseudo/*"),
    column("frames/row_con", U64, ("F + 1", 1), "1", "likewise for con/*"),
    column("frames/row_event", U64, ("F + 1", 1), "1", "likewise for events/*"),
    column("solverstat/iters", F64, ("F", 1), "1", "iterations of the last solve before the frame, NaN in frame 0"),
    column("solverstat/merit", F64, ("F", 1), "1", "merit function after it"),
    column("solverstat/error", F64, ("F", 1), "1", "relative change of reactions in its last iteration"),
    column("rigid/body", U32, ("n", 1), "1", "catalogue row of the body; rows of a frame ascend by (shape class, id)"),
    column("rigid/x", F64, ("n", 3), "m", "mass centre").frame("spatial").level("t+h"),
    column("rigid/rot", F64, ("n", 9), "1", "rotation, column-wise").frame("spatial").level("t+h"),
    column("rigid/v", F64, ("n", 3), "m/s", "velocity of the mass centre").frame("spatial").level("t+h"),
    column("rigid/omega", F64, ("n", 3), "rad/s", "angular velocity").frame("reference").level("t+h"),
    column("rigid/energy", F64, ("n", 6), "J", "kinetic, internal, external, contact, friction, dissipated")
        .level("t+h"),
    column("pseudo/body", U32, ("p", 1), "1", "catalogue row of the body; rows of a frame ascend by (shape class, id)"),
    column("pseudo/x", F64, ("p", 3), "m", "mass centre").frame("spatial").level("t+h"),
    column("pseudo/F", F64, ("p", 9), "1", "deformation gradient, row-wise").frame("spatial").level("t+h"),
    column("pseudo/v", F64, ("p", 3), "m/s", "velocity of the mass centre").frame("spatial").level("t+h"),
    column("pseudo/Fdot", F64, ("p", 9), "1/s", "its rate, row-wise").frame("spatial").level("t+h"),
    column("pseudo/energy", F64, ("p", 6), "J", "kinetic, internal, external, contact, friction, dissipated")
        .level("t+h"),
    column("con/id", U64, ("c", 1), "1", "id of the constraint, never used again"),
    column("con/kind", U8, ("c", 1), "1", "kind; rows of a frame ascend by (kind, master id, slave id, id)")
        .names(r#"{"CONTACT": 0, "FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#),
    column("con/row", U32, ("c", 1), "1", "row of constraints/* of the model, 4294967295: a contact"),
    column("con/master", U32, ("c", 1), "1", "catalogue row of the master body"),
    column("con/slave", U32, ("c", 1), "1", "catalogue row of the slave body, 4294967295: none"),
    column("con/point", F64, ("c", 3), "m", "point").frame("spatial").level("t+h/2"),
    column("con/normal", F64, ("c", 3), "1", "unit normal, from slave to master").frame("spatial").level("t+h/2"),
    column("con/tangent1", F64, ("c", 3), "1", "first tangent").frame("spatial").level("t+h/2"),
    column("con/tangent2", F64, ("c", 3), "1", "second tangent; (t1, t2, n) is left-handed for contacts")
        .frame("spatial")
        .level("t+h/2"),
    column("con/R", F64, ("c", 3), "N", "average reaction (T1, T2, N)").frame("local").level("[t, t+h]"),
    column("con/U", F64, ("c", 3), "m/s", "relative velocity (T1, T2, N)").frame("local").level("t+h"),
    column("con/V", F64, ("c", 3), "m/s", "relative velocity (T1, T2, N)").frame("local").level("t"),
    column("con/force", F64, ("c", 3), "N", "reaction on the master").frame("spatial").level("[t, t+h]"),
    column("con/gap", F64, ("c", 1), "m", "gap, negative is penetration").level("t+h/2"),
    column("con/area", F64, ("c", 1), "m2", "contact area").level("t+h/2"),
    column("con/merit", F64, ("c", 1), "1", "part of the merit function"),
    column("con/material", I16, ("c", 1), "1", "row of materials/surface of the model, -1 where not a contact"),
    column("con/surf", I32, ("c", 2), "1", "surface ids of (master, slave), 0 where not a contact"),
    column("con/state", U8, ("c", 1), "1", "bit 0: cohesive"),
    column("con/aux", F64, ("c", 4), "1", "cohesive contact: strength [N] first"),
    column("events/time", F64, ("e", 1), "s", "when"),
    column("events/kind", U8, ("e", 1), "1", "what")
        .names(r#"{"BORN": 0, "DELETED": 1, "LEFT_EXTENTS": 2, "DECOHESION": 3, "LINK_BROKEN": 4}"#),
    column("events/body", U32, ("e", 1), "1", "catalogue row of the body"),
    column("events/parent", U32, ("e", 1), "1", "catalogue row of the body it came from, 4294967295: none"),
    column("steps/time", F64, ("T", 1), "s", "end of the time step"),
    column("steps/h", F64, ("T", 1), "s", "its length"),
    column("steps/ncon", U64, ("T", 1), "1", "constraints"),
    column("steps/nbod", U64, ("T", 1), "1", "bodies"),
    column("steps/iters", U32, ("T", 1), "1", "iterations of the solver"),
    column("steps/merit", F64, ("T", 1), "1", "merit function after it"),
    column("steps/error", F64, ("T", 1), "1", "relative change of reactions in the last iteration"),
];

/// Under `/timing/<k>` of a segment and of the master: clock readings live only here and in `/provenance`.
/// q phases; width 0 stands for any.
pub const TIMING: &[Column] = &[
    column("name", Text, ("q", 1), "1", "names of the phases of a time step"),
    column("frame", F64, ("F, q", 0), "s", "seconds in each phase since the previous frame"),
    column("step", F64, ("T, q + 1", 0), "s", "seconds in each phase of a step, then the wall clock since the start"),
];

/// Under `/domains/<k>` of the master alone.
pub const MASTER: &[Column] = &[
    column("frames/segment", U32, ("F", 1), "1", "row of segments/* that holds the frame"),
    column("frames/nbod", U64, ("F", 1), "1", "bodies in the frame"),
    column("frames/ncon", U64, ("F", 1), "1", "constraints in the frame"),
    column("segments/file", Text, ("G", 1), "1", "file, relative to the master"),
    column("segments/first_frame", I64, ("G", 1), "1", "index of its first frame, -1: none"),
    column("segments/last_frame", I64, ("G", 1), "1", "index of its last frame, -1: none"),
    column("catalogue/id", U64, ("B", 1), "1", "id of every body there ever was"),
    column("catalogue/label", Text, ("B", 1), "1", "label, '' if none"),
    column("catalogue/kind", U8, ("B", 1), "1", "kind of body")
        .names(r#"{"OBSTACLE": 0, "RIGID": 1, "PSEUDO_RIGID": 2, "FINITE_ELEMENT": 3}"#),
    column("catalogue/born_frame", I64, ("B", 1), "1", "index of the first frame with the body, -1: not yet"),
    column("catalogue/dead_frame", I64, ("B", 1), "1", "index of the first frame without it, -1: alive"),
    column("catalogue/shape_class", U8, ("B", 1), "1", "what the body is made of")
        .names(r#"{"SPHERE": 0, "MESH": 1, "CONVEX": 2, "SEVERAL": 3}"#),
    column("catalogue/definition_row", I64, ("B", 1), "1", "row of bodies/* in the model"),
    column("program/steps", Text, ("P", 1), "1", "operations that acted, one JSON object each, as in the model file"),
    column("program/at_step", U64, ("P", 1), "1", "time steps done when the operation acted"),
    column(
        "program/base",
        U64,
        ("3", 1),
        "1",
        "rows of bodies, constraints and loads of the model before the first RUN",
    )
    .optional(),
    column("runs/first_step", U64, ("N", 1), "1", "time steps done when the RUN began"),
    column("runs/last_step", U64, ("N", 1), "1", "time steps done when it ended"),
    column("runs/reason", Text, ("N", 1), "1", "why it ended: done, or what stopped it"),
    column("runs/program_end", I64, ("N", 1), "1", "rows of program/* when it ended, -1: it has not").optional(),
];
