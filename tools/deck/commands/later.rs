//! Names of the original language that this version has not: commands, and `CLASS.method`.

pub const REFUSED: &[&str] = &[
    "APPLY_BULKMAT",
    "BODY_MM_EXPORT",
    "COROTATED_DISPLACEMENTS",
    "FIELD",
    "FRACTURE_EXPORT_YAFFEMS",
    "HYBRID_SOLVER",
    "MODAL_ANALYSIS",
    "REGISTER_BASE",
    "RIGID_DISPLACEMENTS",
    "RIGID_TO_FEM",
    "RT_SPLIT",
    "SIMPLIFIED_CRACK",
];
