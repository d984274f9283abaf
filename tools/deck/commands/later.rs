//! Names of the original language that are refused: what only a running simulation can do, and what this version has not.

use crate::deck::fault::Fault;
use crate::deck::table::Refusal;

pub static REFUSALS: [Refusal; 2] = [
    Refusal {
        names: &[
            "CALLBACK",
            "HISTORY",
            "STRESS",
            "TIMING",
            "HYBRID_SOLVER",
            "PUT_SPRING",
            "XDMF_EXPORT",
            "SOLFEC_EXPORT",
            "MBFCP_EXPORT",
            "RT_SPLIT",
            "MODAL_ANALYSIS",
            "BODY_MM_EXPORT",
            "COROTATED_DISPLACEMENTS",
            "RIGID_DISPLACEMENTS",
            "RENDER",
        ],
        fault: |_| Fault::live("needs live execution and cannot be recorded"),
    },
    Refusal {
        names: &[
            "APPLY_BULKMAT",
            "BEND",
            "CONTACT_EXCLUDE_OBJECTS",
            "DELETE",
            "DISPLAY_POINT",
            "ELLIP",
            "ELLIP_MESH",
            "FIELD",
            "FIX_DIRECTION",
            "FIX_POINT",
            "FORCE",
            "FRACTURE_EXPORT_YAFFEMS",
            "INITIALIZE_STATE",
            "MESH2CONVEX",
            "MESH_SPLIT",
            "NEWTON_SOLVER",
            "OVERLAPPING",
            "PIPE",
            "PRESSURE",
            "PUT_RIGID_LINK",
            "REGISTER_BASE",
            "REGISTER_CALLBACK",
            "RIGID_TO_FEM",
            "ROUGH_HEX",
            "SET_ACCELERATION",
            "SET_ACCELERATION3",
            "SET_DISPLACEMENT",
            "SET_DISPLACEMENT3",
            "SET_VELOCITY",
            "SET_VELOCITY3",
            "SICONOS_SOLVER",
            "SIMPLIFIED_CRACK",
            "SPLIT",
            "TEST_SOLVER",
            "TETRAHEDRALIZE",
            "TIME_SERIES",
            "TORQUE",
        ],
        fault: |_| {
            Fault::runtime(
                "is a command of Solfec 1.0 that this version does not have; docs/commands.md lists what there is",
            )
        },
    },
];
