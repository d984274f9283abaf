//! `sf-locdyn-compare solve`: a problem, a solver, and the error by the numbers of the file.

use std::io::Read;
use std::path::Path;

use serde_json::json;
use solfec::dynamics::Delassus;
use solfec::math::Vec3;
use solfec::model::Analysis;
use solfec::solver::{merit, Conditions, Goal};
use solfec_formats::fclib::{write_problem, write_solution, Raw, Residual, Solution, Source};

use super::args::{Measure, Solve};
use super::method::{Method, Outcome};
use crate::cli::{check_hdf5_file, counted, number, require_sound, write_stdout, CliError, Exit, Warnings};

const STDIN: &str = "standard input";

/// Merit above which a small error does not mean a solution.
const CONTRADICTION: f64 = 0.01;

/// What came out.
struct Solved {
    name: String,
    contacts: usize,
    joints: usize,
    outcome: Outcome,
    merit: f64,
    residual: Residual,
    converged: bool,
}

pub fn run(args: &Solve) -> Result<(), CliError> {
    let method = Method::of(&args.solver)?;
    if args.verify {
        require_sound(&args.file)?;
    }
    let (name, source) = open(&args.file)?;
    check_output(args)?;
    let raw = source.raw()?;
    let problem = source.problem(&raw)?;
    let mut op = problem.operator().map_err(|e| CliError::from(e).at(&name))?;
    let laws = problem.laws();
    let step = source.step()?;
    // A problem of others has no step; no law of it needs one, and its merit is relative to the free energy.
    let conditions = Conditions {
        h: step.as_ref().map_or(1.0, |s| s.h),
        analysis: step.as_ref().map_or(Analysis::Dynamic, |s| s.analysis),
        energy: step.as_ref().map_or(0.0, |s| s.energy),
    };
    let mut r = vec![Vec3::zeros(); op.len()];
    let goal = match args.measure {
        Measure::Siconos => Goal::Siconos(args.tol),
        Measure::Merit => Goal::Merit(args.tol),
    };
    let outcome = method.run(&mut op, &laws, conditions, goal, args.maxiter, &mut r)?;
    let mut u = r.clone();
    op.apply(&r, &mut u);
    let merit = merit(&op, &laws, conditions, &r, &u, &mut vec![0.0; r.len()]).value;
    let mut solution = problem.solution(&raw, &r);
    if let Some(path) = &args.output {
        write(args, &source, &raw, &solution, path)?;
        // The error is that of what was written.
        if let Some(written) = Source::open(path)?.solution(&raw)? {
            solution = written;
        }
    }
    let residual = raw.residual(&solution.r, &solution.l);
    let reached = match args.measure {
        Measure::Siconos => residual.err_siconos <= args.tol,
        Measure::Merit => merit <= args.tol,
    };
    let joints = op.len() - raw.contacts();
    let solved = Solved { name, contacts: raw.contacts(), joints, outcome, merit, residual, converged: reached };
    let report = if args.common.json { solved.document(args, &method) } else { solved.text(&method) };
    write_stdout(report.as_bytes())?;
    if solved.converged {
        if merit > CONTRADICTION {
            let text = format!(
                "the merit is {merit:.1e} although the error is small against the reactions; they grow without bound where \
                 constraints contradict each other: look at err_over_q, or use --measure merit"
            );
            Warnings::new("sf-locdyn-compare").warn("merit", &text);
        }
        return Ok(());
    }
    let (what, error) = match args.measure {
        Measure::Siconos => ("err_siconos", residual.err_siconos),
        Measure::Merit => ("merit", merit),
    };
    let text = format!(
        "{}: not converged: {what} is {error:.3e} after {} iterations, but {:e} was asked for; try --maxiter or another \
         --solver",
        solved.name, outcome.report.iterations, args.tol
    );
    Err(CliError::new(Exit::Numerical, text))
}

fn open(path: &Path) -> Result<(String, Source), CliError> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| CliError::file(Path::new(STDIN), "read", &e))?;
        return Ok((STDIN.into(), Source::memory(bytes, STDIN)?));
    }
    check_hdf5_file(path)?;
    Ok((path.display().to_string(), Source::open(path)?))
}

/// Before the work: the result must have a place to go.
fn check_output(args: &Solve) -> Result<(), CliError> {
    let Some(path) = &args.output else { return Ok(()) };
    if path == Path::new("-") {
        return Err(CliError::usage("-o: solutions are written to files; give a name"));
    }
    crate::cli::Part::create(path, args.force).map(drop)
}

/// A local problem is copied with its solution; of a global one, or one from a pipe, the local problem is written.
fn write(args: &Solve, source: &Source, raw: &Raw, solution: &Solution, path: &Path) -> Result<(), CliError> {
    if source.is_local() && args.file != Path::new("-") {
        write_solution(&args.file, path, solution)?;
    } else {
        write_problem(path, raw, solution)?;
    }
    Ok(())
}

impl Solved {
    /// For people.
    fn text(&self, method: &Method) -> String {
        let report = &self.outcome.report;
        let rows = match self.joints {
            0 => counted(self.contacts, "contact", "contacts"),
            n => {
                let rows = counted(n, "row", "rows");
                format!("{}, {rows} of prescribed velocity", counted(self.contacts, "contact", "contacts"))
            }
        };
        format!(
            "{}: {rows}\nsolver       {}\nmethod       {}\nconverged    {}\niterations   {}\ntime         {:.6} s\n\
             err_siconos  {:.6e}\nerr_over_q   {:.6e}\nmerit        {:.6e}\n",
            self.name,
            method.settings.name(),
            self.method(method),
            if self.converged { "yes" } else { "no" },
            report.iterations,
            self.outcome.time,
            self.residual.err_siconos,
            self.residual.err_over_q,
            self.merit
        )
    }

    /// What the solver says it did.
    fn method(&self, method: &Method) -> &'static str {
        match self.outcome.report.method {
            "" => method.settings.name(),
            name => name,
        }
    }

    /// As one JSON document.
    fn document(&self, args: &Solve, method: &Method) -> String {
        let finite = |x: f64| if x.is_finite() { json!(x) } else { json!(number(x)) };
        let document = json!({
            "schema": "sf-locdyn-compare-solve/1",
            "file": self.name,
            "solver": method.settings.name(),
            "method": self.method(method),
            "converged": self.converged,
            "iterations": self.outcome.report.iterations,
            "time_s": self.outcome.time,
            "err_siconos": finite(self.residual.err_siconos),
            "err_over_q": finite(self.residual.err_over_q),
            "merit": finite(self.merit),
            "tol": args.tol,
            "measure": match args.measure {
                Measure::Siconos => "siconos",
                Measure::Merit => "merit",
            },
            "contacts": self.contacts,
            "prescribed": self.joints,
        });
        format!("{document}\n")
    }
}
