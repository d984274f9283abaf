//! What the command reference adds to the table: how a command differs from Solfec 1.0. docs/compatibility.md lists
//! the deviations of the mechanics.

/// How a command differs from Solfec 1.0.
pub fn difference(command: &str) -> Option<&'static str> {
    DIFFERENCES.iter().find(|(name, _)| *name == command).map(|(_, text)| *text)
}

const DIFFERENCES: &[(&str, &str)] = &[
    ("CONVEX", "the manual calls the third argument 'valid'. Open, non-planar and non-convex input is an error."),
    ("HULL", "coplanar triangles become one polygon; points are never dropped; vertices keep the order of the input."),
    (
        "MESH",
        "inverted elements are an error; unused nodes are kept; `get_data()` lists elements and faces in \
        ascending order \
              (`--compat mesh_order`: as the original).",
    ),
    ("SPLIT", "the first of the tuple is the part below, as the manual says; the original decided by distances. Cut elements \
               keep their ids; other elements stay; spheres and ellipsoids are split as polyhedra."),
    ("MESH_SPLIT", "nodes and faces follow one rule; cracks may branch and end inside."),
    ("TETRAHEDRALIZE", "calls an installed mesher; the file is used again only if it was made from the same surface and \
                        bounds; `volid` and `surfid` fill in what is not inherited."),
    ("MESH2CONVEX", "keeps the ids of the mesh (the original: 0)."),
    ("ROUGH_HEX", "where second moments are equal the axes are the coordinate axes."),
    ("ELLIP_MESH", "needs no mesher."),
    ("MODAL_ANALYSIS", "the six rigid modes have the eigenvalue 0 exactly; `abstol` bounds the relative residual; the file is \
                        used again only if mesh and material are the same, and `path` may be left out."),
    ("COROTATED_DISPLACEMENTS", "one sample for each time that is asked for, 0 included."),
    ("BODY_MM_EXPORT", "triangles have the header `symmetric`, numbers 17 digits (`--compat mm_header`: as the original)."),
    ("REGISTER_BASE", "the length of the vectors is compared with the mesh when a body is made with the base."),
    ("HEX", "both keywords are accepted, `surids` of the original and `surfids` of the manual."),
    ("SPHERE", "a radius that is not positive is an error."),
    (
        "SCALE",
        "a sphere is scaled about the origin and needs equal factors; the original scaled the radius by the \
               first factor and did not move the centre.",
    ),
    (
        "COPY",
        "a list is returned as a list in the same order; the original reversed it, and returned a bare object \
              for a list of one.",
    ),
    (
        "SOLFEC",
        "-w replaces results without asking; damaged results are an error instead of being overwritten. \
                `bodies` and `constraints` are those of the whole simulation.",
    ),
    (
        "SURFACE_MATERIAL",
        "`surf1` and `surf2` read None for any surface; the setter of `dashpot` accepts negative \
                          numbers, as the constructor does; hpow below 1 is an error. If two entries name one \
                          surface of a pair each, that with the smaller surface id is used, with a warning.",
    ),
    (
        "BULK_MATERIAL",
        "the model TSANG_MARSDEN and its fields are not supported; young, poisson and density may be a FIELD each.",
    ),
    (
        "FIELD",
        "stands for a number of a BULK_MATERIAL; in the original no material used fields. Values are taken at the points \
         of integration in the reference configuration, at t+h/2 (quasi-statics: t+h), density at 0; tables are new.",
    ),
    (
        "BODY",
        "a BODY that fails empties nothing; an empty list of shapes is a ValueError at once. `constraints` of a \
        free body is an empty list.",
    ),
    ("DELETE", "ignored in READ mode, where the original crashed."),
    (
        "APPLY_BULKMAT",
        "works, and the mass follows; in the original the volume id was garbled, and it had no effect. After the first \
        RUN, or where no part has the volume id, it is an error.",
    ),
    ("BODY_CHARS", "takes effect also after the first RUN; mass centre and configuration are updated."),
    (
        "INITIAL_VELOCITY",
        "the angular velocity is spatial also for rotated bodies; in the original it was \
                          referential.",
    ),
    (
        "TIME_SERIES",
        "labels and files without `cache` work (the original crashed); `cache` is ignored; lists of \
                     pairs and flat lists are accepted.",
    ),
    (
        "FIX_POINT",
        "any point is accepted, inside or outside the shape. The point is held at mid-steps: errors do not add up \
                   (`--compat constraint_drift`: as the original).",
    ),
    ("FIX_DIRECTION", "held at mid-steps as FIX_POINT."),
    (
        "SET_DISPLACEMENT",
        "reaches the prescribed position; the original was half a step late (`--compat \
                          prescribed`).",
    ),
    ("SET_VELOCITY", "any point is accepted; a number means a constant velocity."),
    ("SET_ACCELERATION", "integrated exactly (`--compat prescribed`: by linear pieces); after the last point of the series the velocity \
        stays."),
    ("SET_DISPLACEMENT3", "as SET_DISPLACEMENT."),
    ("SET_ACCELERATION3", "as SET_ACCELERATION."),
    (
        "PUT_RIGID_LINK",
        "strength limits the tension (the original: the compression). The second half of `point` is the \
        point on the second body.",
    ),
    (
        "PUT_SPRING",
        "solved implicitly with all other constraints; the law may also be a TIME_SERIES (force over \
                    stroke) or (stiffness, damping); limits that do not include zero are a ValueError; the stroke \
                    counts along x2 - x1 and is 0 at creation.",
    ),
    (
        "FORCE",
        "the function may return any sequence of numbers; `u` of a rigid body has exactly 6; exceptions of the \
               function are raised by RUN. CONVECTED forces on pseudo-rigid bodies turn with F (the original: its \
               transpose).",
    ),
    ("PRESSURE", "the torque about the mass centre is exact."),
    (
        "GAUSS_SEIDEL_SOLVER",
        "`failure` returns the assigned text (the original added a prefix); `meritval` is a \
                             member; the merit is always evaluated; the block solver 'ENUMERATIVE' is new. Failure \
                             'EXIT' raises SolverError, a RuntimeError.",
    ),
    (
        "NEWTON_SOLVER",
        "the defaults of maxmatvec and omega are fixed numbers, as in the code of the original, not as \
                       in its manual; omega='AUTO' scales it; `theta` may be up to 1; the fallback works for every \
                       model.",
    ),
    ("PENALTY_SOLVER", "warns of contacts without a spring, which give no force."),
    ("SICONOS_SOLVER", "always available; the library is loaded when it is used."),
    ("TEST_SOLVER", "is NEWTON_SOLVER, with a warning."),
    (
        "RUN",
        "makes exactly N steps for a duration of N steps, and the last RUN stores its last state (`--compat \
        schedule`: as the original).",
    ),
    (
        "OUTPUT",
        "frames fall on multiples of the interval (`--compat schedule`: the drifting times of the original). \
                Compression has an effect.",
    ),
    ("CALLBACK", "a return value None continues the run; exceptions are raised by RUN; no registration is needed."),
    ("REGISTER_CALLBACK", "accepted, without effect."),
    (
        "UNPHYSICAL_PENETRATION",
        "raises PenetrationError, a RuntimeError; excluded pairs and dropped contacts do not \
        count.",
    ),
    ("CONTACT_EXCLUDE_BODIES", "existing contacts are removed too, at the next update."),
    ("CONTACT_EXCLUDE_SURFACES", "existing contacts are removed too, at the next update."),
    (
        "CONTACT_EXCLUDE_OBJECTS",
        "the manual lists it, Solfec-1.0 has it not. Objects are counted as in docs/conventions.md 9.",
    ),
    ("CONTACT_POINTS", "new; ignored under `--compat sparsify`."),
    (
        "CONTACT_SPARSIFY",
        "only kept contacts suppress others, on either side of a contact, within one body pair \
                          (`--compat sparsify`: as the original). `area` is new.",
    ),
    (
        "INITIALIZE_STATE",
        "a list with one expression is accepted; of two frames at equal distance the earlier one is \
                          used, with a message if no frame has the given time. Accepts packed results too.",
    ),
    (
        "RIGID_TO_FEM",
        "as INITIALIZE_STATE; velocities are those of the turned body (the original takes the arms of the reference \
                          configuration with the turned-back spin), also of reduced bodies.",
    ),
    (
        "SOLFEC_EXPORT",
        "the subset is fully supported; statistics and the step log between the frames are kept; in \
                       WRITE mode calls with the same path append; results of a run are never replaced.",
    ),
    (
        "MBFCP_EXPORT",
        "numbers have full precision; vertices are counted from 0 (the original wrote offsets of \
                      coordinates); ANY stands for any surface; springs have their data; a FORCE function is an \
                      error that names the body.",
    ),
    (
        "IMBALANCE_TOLERANCE",
        "the tolerance is of the largest weight over the mean (the manual: of the largest count over the smallest); \
         cuts stay as they are below it.",
    ),
    ("RANK", "always 0: the deck runs on rank 0 only."),
    ("HERE", "always True: the deck can access every body."),
    ("SEEK", "loads the nearest frame, of two the earlier; the original loaded either neighbour. `mode` is new."),
    ("STRESS", "Cauchy stress P Fᵀ / J (the original: F P / J); zero for rigid bodies instead of undefined values."),
    (
        "ENERGY",
        "a named tuple in the order of the manual (the original: kinetic, external, contact, friction, \
        internal); contact and friction count once for a pair of bodies.",
    ),
    ("TIMING", "an unknown name is a ValueError in both modes."),
    (
        "HISTORY",
        "the frame at t1 is included; resultants along a direction are those of the global vector; U is the \
                 mean over n constraints, not n + 1; GAP without contact is NaN; values that are not stored are NaN; \
                 vector resultants and `on` are new.",
    ),
    ("DISPLAY_POINT", "works with any number of ranks; the points are stored in the model and the results."),
    (
        "XDMF_EXPORT",
        "one file for each family, times with 17 digits, stress as a symmetric tensor, spans inclusive; \
                     the current frame is unchanged (the original left the reader at the last one).",
    ),
    ("LOCDYN_DUMP", "an FCLIB file in full precision instead of text with six digits."),
];
