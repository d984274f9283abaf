//! Commands of Solfec 1.0 that are missing.

use crate::deck::table::Absent;

const fn absent(name: &'static str, signature: &'static str, doc: &'static str, with: &'static str) -> Absent {
    Absent { name, signature, doc, with }
}

const FRACTURE: &str = "fragmentation";

pub const ABSENT: &[Absent] = &[
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
        "co-simulation",
    ),
];
