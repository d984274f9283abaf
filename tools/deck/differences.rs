//! What the command reference tells beside the table: where a command differs from Solfec 1.0, and the commands of Solfec 1.0
//! that this version does not have. docs/compatibility.md tells the deviations of the mechanics.

/// Where a command differs.
pub fn difference(command: &str) -> Option<&'static str> {
    DIFFERENCES.iter().find(|(name, _)| *name == command).map(|(_, text)| *text)
}

const DIFFERENCES: &[(&str, &str)] = &[
    ("CONVEX", "the manual calls the third argument 'valid'. Open, non-planar and non-convex input is an error."),
    ("HULL", "coplanar triangles become one polygon; points are never dropped; vertices keep the order of the input."),
    ("MESH", "inverted elements are an error; unused nodes are kept; `get_data()` lists elements and faces in ascending order \
              (`--compat mesh_order`: as the original)."),
    ("HEX", "the keyword `surids` of the original and `surfids` of the manual are both taken."),
    ("SPHERE", "a radius that is not positive is an error."),
    ("SCALE", "a sphere is scaled about the origin and wants equal factors; the original took the first factor for the radius and \
               left the centre."),
    ("COPY", "a list comes back as a list in its own order; the original reversed it, and a list of one became a bare object."),
    ("SOLFEC", "-w replaces results without asking; damaged results are an error instead of being overwritten. \
                `bodies` and `constraints` are those of the whole simulation."),
    ("SURFACE_MATERIAL", "`surf1` and `surf2` read None for any surface; the setter of `dashpot` takes negative numbers, as the constructor does; hpow \
                          below 1 is an error. Where two entries name one surface of a pair each, the smaller surface id counts, with a warning."),
    ("BULK_MATERIAL", "the model TSANG_MARSDEN and its fields are not there."),
    ("BODY", "a BODY that fails empties nothing; an empty list of shapes is a ValueError at once. `constraints` of a free body is an empty list."),
    ("DELETE", "ignored in READ mode, where the original crashed."),
    ("BODY_CHARS", "takes effect also after the first RUN; mass centre and configuration are brought along."),
    ("INITIAL_VELOCITY", "the angular velocity is spatial also for bodies that have turned; the original took it as referential."),
    ("TIME_SERIES", "labels and files without `cache` work (the original crashed); `cache` is accepted and ignored; lists of pairs and flat lists alike."),
    ("FIX_POINT", "any point is taken, inside or outside of the shape. The error of the place is removed in each step (`--compat \
                   constraint_drift`: not)."),
    ("FIX_DIRECTION", "the error of the place is removed in each step (`--compat constraint_drift`: not)."),
    ("SET_DISPLACEMENT", "reaches the prescribed place; the original was half a step late (`--compat prescribed`)."),
    ("SET_VELOCITY", "any point is taken; a number is a constant."),
    ("SET_ACCELERATION", "integrated exactly (`--compat prescribed`: by linear pieces)."),
    ("SET_DISPLACEMENT3", "as SET_DISPLACEMENT."),
    ("SET_ACCELERATION3", "as SET_ACCELERATION."),
    ("PUT_RIGID_LINK", "strength limits the tension (the original: the compression). The second half of `point` is the point on the second body."),
    ("PUT_SPRING", "solved implicitly with all other constraints; the law may also be a TIME_SERIES (force over stroke) or (stiffness, damping); limits that do \
                    not hold zero are a ValueError; the stroke counts along x2 - x1 and is 0 at creation."),
    ("FORCE", "the function may return any sequence of numbers; `u` of a rigid body has exactly 6; what it raises, RUN raises. CONVECTED \
               forces on pseudo-rigid bodies turn with F (the original: its transpose)."),
    ("PRESSURE", "the torque about the mass centre is exact."),
    ("GAUSS_SEIDEL_SOLVER", "`failure` reads as it was written (the original prefixed it); `meritval` is a member; the merit is always evaluated; the block solver \
                             'ENUMERATIVE' is new. Failure 'EXIT' raises SolverError, a RuntimeError."),
    ("NEWTON_SOLVER", "maxmatvec and omega are fixed numbers, as in the code of the original, not as in its manual; omega='AUTO' scales it; `theta` may be set up to 1; the \
                       fall-back works for every model."),
    ("PENALTY_SOLVER", "warns of contacts without a spring, which give no force."),
    ("SICONOS_SOLVER", "always there; the library is loaded when it is used."),
    ("TEST_SOLVER", "is NEWTON_SOLVER, with a warning."),
    ("RUN", "makes exactly N steps for a duration of N steps, and the last RUN stores its last state (`--compat schedule`: as the original)."),
    ("OUTPUT", "frames fall on multiples of the interval (`--compat schedule`: the drifting times of the original). Compression compresses."),
    ("CALLBACK", "None goes on; an exception is raised by RUN; no registration is needed."),
    ("REGISTER_CALLBACK", "accepted, without effect."),
    ("UNPHYSICAL_PENETRATION", "raises PenetrationError, a RuntimeError; excluded pairs and dropped contacts do not count."),
    ("CONTACT_EXCLUDE_BODIES", "existing contacts go too, at the next update."),
    ("CONTACT_EXCLUDE_SURFACES", "existing contacts go too, at the next update."),
    ("CONTACT_SPARSIFY", "survivors suppress, on either side of a contact, within one body pair (`--compat sparsify`: as the original). `area` is new."),
    ("INITIALIZE_STATE", "a list with one expression is taken; of two frames at equal distance the earlier one counts, and a time that no frame has is \
                          told. Takes packed results too."),
    ("SOLFEC_EXPORT", "the subset acts, as in the original, which denied it; statistics and the step log between the frames are kept; in WRITE mode \
                       calls with one path add to each other; results of a run are never replaced."),
    ("MBFCP_EXPORT", "numbers are in full; vertices are counted (the original: three times that); ANY stands for any surface; springs have their data; a \
                      FORCE function is an error that names the body."),
    ("IMBALANCE_TOLERANCE", "accepted, without effect on one rank."),
    ("RANK", "always 0: one deck runs, on rank 0."),
    ("HERE", "always True: the deck reaches every body."),
    ("SEEK", "goes to the nearest frame, the earlier one of two; the original took either neighbour. `mode` is new."),
    ("STRESS", "Cauchy stress P Fᵀ / J (the original: F P / J); zeros for rigid bodies instead of garbage."),
    ("ENERGY", "a named tuple in the order of the manual (the original: kinetic, external, contact, friction, internal); contact and friction count once for a pair of bodies."),
    ("TIMING", "an unknown name is a ValueError in both modes."),
    ("HISTORY", "the frame at t1 is included; resultants along a direction are those of the global vector; U is the mean over n constraints, not n + 1; GAP without contact is NaN; \
                 what was never stored is NaN; vector resultants and `on` are new."),
    ("DISPLAY_POINT", "acts with any number of ranks; the points stand in the model and the results."),
    ("XDMF_EXPORT", "one file for each family of things, times with 17 digits, stress as a symmetric tensor, spans inclusive; the frame at hand stays (the original left the reader at \
                     the last one)."),
    ("LOCDYN_DUMP", "an FCLIB file in full precision instead of text with six digits."),
];

/// A command of Solfec 1.0 that is not there.
pub struct Absent {
    pub name: &'static str,
    pub signature: &'static str,
    pub doc: &'static str,
    /// What it comes with.
    pub with: &'static str,
}

const fn absent(name: &'static str, signature: &'static str, doc: &'static str, with: &'static str) -> Absent {
    Absent { name, signature, doc, with }
}

const GEOMETRY: &str = "the rest of the geometry";
const ELEMENTS: &str = "finite-element bodies";
const FRACTURE: &str = "fragmentation";

/// All of them, those that came since among them: who asks leaves these out.
pub const ABSENT: &[Absent] = &[
    absent("MESH2CONVEX", "(mesh)", "One polyhedron for each element of a mesh.", GEOMETRY),
    absent(
        "ROUGH_HEX",
        "(shape, i, j, k | dx, dy, dz)",
        "A block of hexahedra along the inertia axes of a shape.",
        GEOMETRY,
    ),
    absent("PIPE", "(pnt, dir, rin, thi, ndir, nrad, nthi, volid, surfids)", "A pipe of hexahedra.", GEOMETRY),
    absent("ELLIP_MESH", "(center, radii, error, volid, surfid)", "A mesh of tetrahedra in an ellipsoid.", GEOMETRY),
    absent(
        "TETRAHEDRALIZE",
        "(shape, path | volume, quality, volid, surfid)",
        "A mesh of tetrahedra in a surface.",
        GEOMETRY,
    ),
    absent("ELLIP", "(center, radii, volid, surfid)", "An ellipsoid.", GEOMETRY),
    absent("BEND", "(shape, point, direction, angle)", "Bends a mesh about an axis.", GEOMETRY),
    absent(
        "SPLIT",
        "(shape, point, normal | surfid=(0, 0), topoadj='OFF', remesh='ON')",
        "Splits a shape by a plane.",
        GEOMETRY,
    ),
    absent("MESH_SPLIT", "(mesh | nodeset, faceset, surfid1=0, surfid2=0)", "Splits a mesh along faces.", GEOMETRY),
    absent("OVERLAPPING", "(obstacles, shapes | not, gap=0)", "Shapes that overlap others.", GEOMETRY),
    absent(
        "CONTACT_EXCLUDE_OBJECTS",
        "(body1, object1, body2, object2)",
        "Two objects of bodies that never touch.",
        GEOMETRY,
    ),
    absent("FIELD", "(solfec, field_callback | label, data)", "A field over space and time.", ELEMENTS),
    absent("APPLY_BULKMAT", "(solfec, body, volid, material)", "Another material for a volume id of a body.", ELEMENTS),
    absent("RIGID_DISPLACEMENTS", "(body)", "Displacements of the six rigid motions of a mesh.", ELEMENTS),
    absent("REGISTER_BASE", "(solfec, (values, vectors), label)", "A reduced base under a label.", ELEMENTS),
    absent(
        "RIGID_TO_FEM",
        "(path, time, solfec | subset)",
        "States of finite-element bodies from rigid results.",
        ELEMENTS,
    ),
    absent(
        "MODAL_ANALYSIS",
        "(body, num, path | abstol=1e-11, maxiter=100, verbose='OFF')",
        "Eigenmodes of a body.",
        ELEMENTS,
    ),
    absent(
        "BODY_MM_EXPORT",
        "(body, pathM, pathK | spdM='ON', spdK='ON')",
        "Mass and stiffness as MatrixMarket files.",
        ELEMENTS,
    ),
    absent("COROTATED_DISPLACEMENTS", "(solfec, subset | sampling)", "Samples of co-rotated displacements.", ELEMENTS),
    absent("RT_SPLIT", "(body1, surf | sid1=0, sid2=0, label1, label2)", "Splits a body during a run.", FRACTURE),
    absent(
        "SIMPLIFIED_CRACK",
        "(body, point, normal, surfid, criterion | topoadj='OFF', ft=0, Gf=0)",
        "A plane along which a body may crack.",
        FRACTURE,
    ),
    absent(
        "FRACTURE_EXPORT_YAFFEMS",
        "(body, path | volume, quality=1.3)",
        "Recorded fractures as VTK files.",
        FRACTURE,
    ),
    absent(
        "HYBRID_SOLVER",
        "(parmec_file, parmec_step, parmec2solfec, solfec_solver | parmec_argv, boundary_contact_detection='OFF')",
        "Couples with Parmec.",
        "the hybrid solver",
    ),
];
