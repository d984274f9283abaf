//! Solvers beyond those of Solfec 1.0: Siconos, methods of high accuracy, and the automatic choice.

use solfec::model::{Admm, Auto, CorrectedSweeps, InteriorPoint, ProximalNewton, Siconos, SolverSettings};

use super::solver_members::{count_member, real_member, switch_member, ERROR, ITERS, ITERSHIST, MERHIST};
use super::solver_objects::{add, solver, CALLBACK, DATA, FAILURE, FAILURE_MEMBER};
use crate::deck::fault::Fault;
use crate::deck::objects::Objects;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes, Range};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[
    &SICONOS_SOLVER,
    &INTERIOR_POINT_SOLVER,
    &PROXIMAL_NEWTON_SOLVER,
    &CORRECTED_SWEEPS_SOLVER,
    &ADMM_SOLVER,
    &AUTO_SOLVER,
];
pub const CLASSES: &[&Class] = &[
    &SICONOS_SOLVER_CLASS,
    &INTERIOR_POINT_SOLVER_CLASS,
    &PROXIMAL_NEWTON_SOLVER_CLASS,
    &CORRECTED_SWEEPS_SOLVER_CLASS,
    &ADMM_SOLVER_CLASS,
    &AUTO_SOLVER_CLASS,
];

/// From 1 to less than 2.
const RELAXATION: Kind = Kind::Number(Range { min: 1.0, max: 2.0 - f64::EPSILON, above: false });

static SICONOS_SOLVER: Command = Command {
    name: "SICONOS_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("epsilon", Kind::POSITIVE, "accuracy of Siconos").or(Default::Number(1e-4)),
        Arg::new("maxiter", Kind::COUNT, "largest number of iterations").or(Default::Number(1e3)),
        Arg::new("verbose", Kind::Switch, "'ON': Siconos reports").or(Default::Text("OFF")),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a SICONOS_SOLVER",
    modes: Modes::Both,
    doc: "The nonsmooth Gauss-Seidel solver of Siconos, loaded when RUN needs it (Debian: libsiconos-numerics7).",
    run: |session, args| {
        let settings = Siconos {
            epsilon: args.real("epsilon")?,
            maxiter: args.count("maxiter")?,
            verbose: args.maybe_on("verbose").unwrap_or(false),
        };
        add(session, args, SolverSettings::Siconos(settings))
    },
};

static SICONOS_SOLVER_CLASS: Class = Class {
    name: "SICONOS_SOLVER",
    chapter: Chapter::Solvers,
    doc: "The nonsmooth Gauss-Seidel of Siconos.",
    members: &[
        real_member!(siconos, epsilon, Kind::POSITIVE, "accuracy of Siconos"),
        count_member!(siconos, maxiter, "largest number of iterations"),
        switch_member!(siconos, verbose, "'ON': Siconos reports"),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        ITERSHIST,
    ],
    methods: &[],
};

fn siconos(objects: &mut Objects, object: Handle) -> Result<&mut Siconos, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::Siconos(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

static INTERIOR_POINT_SOLVER: Command = Command {
    name: "INTERIOR_POINT_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1e-16)),
        Arg::new("maxiter", Kind::COUNT, "largest number of factorisations").or(Default::Number(200.0)),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a INTERIOR_POINT_SOLVER",
    modes: Modes::Both,
    doc: "Interior point method, finished by Newton steps: for high accuracy.",
    run: |session, args| {
        let settings = InteriorPoint { meritval: args.real("meritval")?, maxiter: args.count("maxiter")? };
        add(session, args, SolverSettings::InteriorPoint(settings))
    },
};

static INTERIOR_POINT_SOLVER_CLASS: Class = Class {
    name: "INTERIOR_POINT_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Path following, finished by Newton steps.",
    members: &[
        real_member!(interior_point, meritval, Kind::POSITIVE, "merit at which to stop"),
        count_member!(interior_point, maxiter, "largest number of factorisations"),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        MERHIST,
        ITERSHIST,
    ],
    methods: &[],
};

fn interior_point(objects: &mut Objects, object: Handle) -> Result<&mut InteriorPoint, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::InteriorPoint(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

static PROXIMAL_NEWTON_SOLVER: Command = Command {
    name: "PROXIMAL_NEWTON_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1e-16)),
        Arg::new("maxiter", Kind::COUNT, "largest number of factorisations").or(Default::Number(500.0)),
        Arg::new("alpha", Kind::POSITIVE, "first weight of the proximal term, relative to the diagonal of W")
            .or(Default::Number(1e-2)),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a PROXIMAL_NEWTON_SOLVER",
    modes: Modes::Both,
    doc: "Newton's method with a line search inside a proximal point loop: for high accuracy.",
    run: |session, args| {
        let settings = ProximalNewton {
            meritval: args.real("meritval")?,
            maxiter: args.count("maxiter")?,
            alpha: args.real("alpha")?,
        };
        add(session, args, SolverSettings::ProximalNewton(settings))
    },
};

static PROXIMAL_NEWTON_SOLVER_CLASS: Class = Class {
    name: "PROXIMAL_NEWTON_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Newton's method inside a proximal point loop.",
    members: &[
        real_member!(proximal_newton, meritval, Kind::POSITIVE, "merit at which to stop"),
        count_member!(proximal_newton, maxiter, "largest number of factorisations"),
        real_member!(
            proximal_newton,
            alpha,
            Kind::POSITIVE,
            "first weight of the proximal term, relative to the diagonal of W"
        ),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        MERHIST,
        ITERSHIST,
    ],
    methods: &[],
};

static CORRECTED_SWEEPS_SOLVER: Command = Command {
    name: "CORRECTED_SWEEPS_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1e-8)),
        Arg::new("maxiter", Kind::COUNT, "largest number of factorisations").or(Default::Number(200.0)),
        Arg::new("sweeps", Kind::COUNT, "least number of sweeps after a correction").or(Default::Number(8.0)),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a CORRECTED_SWEEPS_SOLVER",
    modes: Modes::Both,
    doc: "Gauss-Seidel sweeps with Newton corrections: for high accuracy in time steps that resemble the last one.",
    run: |session, args| {
        let settings = CorrectedSweeps {
            meritval: args.real("meritval")?,
            maxiter: args.count("maxiter")?,
            sweeps: args.count("sweeps")?,
        };
        add(session, args, SolverSettings::CorrectedSweeps(settings))
    },
};

static CORRECTED_SWEEPS_SOLVER_CLASS: Class = Class {
    name: "CORRECTED_SWEEPS_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Gauss-Seidel sweeps with Newton corrections.",
    members: &[
        real_member!(corrected_sweeps, meritval, Kind::POSITIVE, "merit at which to stop"),
        count_member!(corrected_sweeps, maxiter, "largest number of factorisations"),
        count_member!(corrected_sweeps, sweeps, "least number of sweeps after a correction"),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        MERHIST,
        ITERSHIST,
    ],
    methods: &[],
};

fn corrected_sweeps(objects: &mut Objects, object: Handle) -> Result<&mut CorrectedSweeps, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::CorrectedSweeps(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

fn proximal_newton(objects: &mut Objects, object: Handle) -> Result<&mut ProximalNewton, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::ProximalNewton(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

static ADMM_SOLVER: Command = Command {
    name: "ADMM_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1e-8)),
        Arg::new("maxiter", Kind::COUNT, "largest number of iterations").or(Default::Number(5e3)),
        Arg::new("rho", Kind::POSITIVE, "first penalty, relative to the diagonal of W").or(Default::Number(0.05)),
        Arg::new("relaxation", RELAXATION, "over-relaxation").or(Default::Number(1.6)),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a ADMM_SOLVER",
    modes: Modes::Both,
    doc: "Alternating directions: one factorisation, cheap iterations.",
    run: |session, args| {
        let settings = Admm {
            meritval: args.real("meritval")?,
            maxiter: args.count("maxiter")?,
            rho: args.real("rho")?,
            relaxation: args.real("relaxation")?,
        };
        add(session, args, SolverSettings::Admm(settings))
    },
};

static ADMM_SOLVER_CLASS: Class = Class {
    name: "ADMM_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Alternating directions.",
    members: &[
        real_member!(admm, meritval, Kind::POSITIVE, "merit at which to stop"),
        count_member!(admm, maxiter, "largest number of iterations"),
        real_member!(admm, rho, Kind::POSITIVE, "first penalty, relative to the diagonal of W"),
        real_member!(admm, relaxation, RELAXATION, "over-relaxation"),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        MERHIST,
        ITERSHIST,
    ],
    methods: &[],
};

fn admm(objects: &mut Objects, object: Handle) -> Result<&mut Admm, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::Admm(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

static AUTO_SOLVER: Command = Command {
    name: "AUTO_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1e-8)),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a AUTO_SOLVER",
    modes: Modes::Both,
    doc: "Chooses a method suitable for each problem. Wherever a solver is expected, 'AUTO' stands for \
          AUTO_SOLVER().",
    run: |session, args| {
        let settings = Auto { meritval: args.real("meritval")? };
        add(session, args, SolverSettings::Auto(settings))
    },
};

static AUTO_SOLVER_CLASS: Class = Class {
    name: "AUTO_SOLVER",
    chapter: Chapter::Solvers,
    doc: "The method that suits the problem.",
    members: &[
        real_member!(auto, meritval, Kind::POSITIVE, "merit at which to stop"),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        MERHIST,
        ITERSHIST,
    ],
    methods: &[],
};

fn auto(objects: &mut Objects, object: Handle) -> Result<&mut Auto, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::Auto(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}
