//! Names of the original language that are refused: what only a running simulation can do, and what this version has not.

use crate::deck::fault::Fault;
use crate::deck::table::Refusal;

pub static REFUSALS: [Refusal; 2] = [
    Refusal {
        names: &[
            "HYBRID_SOLVER",
            "RT_SPLIT",
            "MODAL_ANALYSIS",
            "BODY_MM_EXPORT",
            "COROTATED_DISPLACEMENTS",
            "RIGID_DISPLACEMENTS",
        ],
        fault: |_| Fault::live("needs live execution and cannot be recorded"),
    },
    Refusal {
        names: &[
            "APPLY_BULKMAT",
            "BEND",
            "CONTACT_EXCLUDE_OBJECTS",
            "ELLIP",
            "ELLIP_MESH",
            "FIELD",
            "FRACTURE_EXPORT_YAFFEMS",
            "MESH2CONVEX",
            "MESH_SPLIT",
            "OVERLAPPING",
            "PIPE",
            "REGISTER_BASE",
            "RIGID_TO_FEM",
            "ROUGH_HEX",
            "SIMPLIFIED_CRACK",
            "SPLIT",
            "TETRAHEDRALIZE",
        ],
        fault: |_| {
            Fault::runtime(
                "is a command of Solfec 1.0 that this version does not have; docs/commands.md lists what there is",
            )
        },
    },
];
