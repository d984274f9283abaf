//! Names of the original language that this version has not: commands, and `CLASS.method`.

pub const REFUSED: &[&str] = &["FRACTURE_EXPORT_YAFFEMS", "HYBRID_SOLVER", "RT_SPLIT", "SIMPLIFIED_CRACK"];
