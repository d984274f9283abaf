//! Groups of operations, as patterns of a match on [`Op`](super::Op): together they are all operations, so that a new
//! one has to join a group before anything compiles.

/// What fills tables.
macro_rules! fills_tables {
    () => {
        Op::Define(_) | Op::InsertBodies(_) | Op::InsertConstraints(_) | Op::InsertLoads(_) | Op::Split { .. }
    };
}

/// What changes settings and materials: see [`Conditions::fold`](super::Conditions::fold).
macro_rules! changes_conditions {
    () => {
        Op::Gravity { .. }
            | Op::GeometricEpsilon { .. }
            | Op::ContactPoints { .. }
            | Op::ContactSparsify { .. }
            | Op::ContactExcludeBodies { .. }
            | Op::ContactExcludeSurfaces { .. }
            | Op::ContactExcludeObjects { .. }
            | Op::Extents { .. }
            | Op::UnphysicalPenetration { .. }
            | Op::SurfaceMaterial { .. }
            | Op::BulkMaterial { .. }
            | Op::StepRecovery { .. }
            | Op::ImbalanceTolerance { .. }
            | Op::Step { .. }
    };
}

/// What changes the description of a body as long as nothing has run.
macro_rules! describes_a_body {
    () => {
        Op::InitialVelocity { .. }
            | Op::SetVelocity { .. }
            | Op::SetConfiguration { .. }
            | Op::BodyChars { .. }
            | Op::SetScheme { .. }
            | Op::SetDamping { .. }
            | Op::DisableRotation { .. }
            | Op::SelfContact { .. }
    };
}

/// What belongs to the program in any case.
macro_rules! only_acts {
    () => {
        Op::Run { .. }
            | Op::Output { .. }
            | Op::DeleteBody { .. }
            | Op::DeleteConstraint { .. }
            | Op::Callback { .. }
            | Op::SetEnergies { .. }
    };
}

pub(crate) use {changes_conditions, describes_a_body, fills_tables, only_acts};
