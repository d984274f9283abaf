//! The child process: many problems in one, a missing library, a violent end.

use std::process::Command;

use super::*;

use solfec_tools::cli::Exit;

#[test]
fn many_problems_in_one_child() {
    let Some(mut siconos) = start(tight()) else { return };
    let process = siconos.process();
    let first = siconos.solve(&slip()).expect("solved");
    for _ in 0..100 {
        assert_eq!(siconos.solve(&slip()).expect("solved"), first);
    }
    assert_eq!(siconos.process(), process);
}

/// Siconos keeps 256 bytes of each NSGS solve; what grows with the problem must go.
#[test]
fn memory_of_problems_is_freed() {
    let Some(mut siconos) = start(tight()) else { return };
    let n = 200;
    let rows: Vec<_> = (0..n).map(|i| vec![(i, example())]).collect();
    let problem = ContactProblem {
        w: BlockSparse::from_upper(&rows),
        q: vec![slip().q[0]; n as usize],
        friction: vec![0.3; n as usize],
        r: vec![Vec3::zeros(); n as usize],
    };
    let resident = |id: u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/statm")).unwrap_or_default();
        status.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0)
    };
    let mut resident_after = |solves: usize| {
        for _ in 0..solves {
            assert!(siconos.solve(&problem).expect("solved").converged);
        }
        resident(siconos.process())
    };
    let before = resident_after(50);
    let grown = resident_after(500).saturating_sub(before);
    assert!(before > 0 && grown < 200, "{grown} pages more after 500 problems");
}

#[test]
fn no_contacts_no_work() {
    let Some(mut siconos) = start(tight()) else { return };
    let solution = siconos.solve(&ContactProblem::default()).expect("solved");
    assert!(solution.converged && solution.r.is_empty() && solution.iterations == 0);
}

/// The test starts itself again with another environment, since the environment of a process is common to its threads.
#[test]
fn a_missing_library_names_the_package() {
    const MARK: &str = "SF_TEST_WITHOUT_LIBRARY";
    if std::env::var_os(MARK).is_none() {
        let test = std::env::current_exe().expect("a test binary");
        let mut command = Command::new(test);
        command.args(["--exact", "process::a_missing_library_names_the_package"]);
        let output = command.env(MARK, "1").env("SF_SICONOS_LIBRARY", "/nonexistent").output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        return;
    }
    let error = Siconos::start_in(tool()).err().expect("no library, no Siconos");
    assert_eq!(error.code, Exit::Io);
    let start = "SICONOS_SOLVER: libsiconos_numerics is not installed; apt install libsiconos-numerics7";
    assert!(error.text.starts_with(start) && error.text.contains("/nonexistent"), "{}", error.text);
}

#[test]
fn a_killed_child_is_named() {
    let Some(mut siconos) = start(tight()) else { return };
    siconos.solve(&slip()).expect("solved");
    let killed = Command::new("kill").args(["-KILL", &siconos.process().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    for _ in 0..2 {
        let error = siconos.solve(&slip()).expect_err("the child is dead");
        assert_eq!(error.code, Exit::Numerical);
        assert!(error.text.contains("SIGKILL") && !error.text.contains('\n'), "{}", error.text);
    }
}

/// Time that a process has spent on the processor [1/100 s]; much, when there is no such process.
fn ticks(process: &str) -> u64 {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return u64::MAX };
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    fields[11].parse::<u64>().expect("a count of ticks") + fields[12].parse::<u64>().expect("a count of ticks")
}

/// Killed while it works: the parent waits for an answer that never comes.
#[test]
fn a_child_killed_at_work_does_not_hang() {
    let endless = Settings { tolerance: 0.0, max_iterations: u32::MAX, ..Settings::default() };
    let Some(mut siconos) = start(endless) else { return };
    let process = siconos.process().to_string();
    let idle = ticks(&process);
    let killer = std::thread::spawn(move || {
        // It is at work when it has used a tenth of a second of the processor.
        while ticks(&process) < idle + 10 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Command::new("kill").args(["-KILL", &process]).status().expect("kill runs")
    });
    let mut problem = slip();
    problem.friction[0] = 0.9; // never exact
    let error = siconos.solve(&problem).expect_err("the child is dead");
    assert!(killer.join().expect("the killer ends").success());
    assert!(error.text.contains("SIGKILL"), "{}", error.text);
}

/// A fatal error of Siconos ends its process, not this one.
#[test]
fn a_fatal_error_of_siconos_is_survived() {
    let Some(mut siconos) = start(Settings { solver: 501, ..tight() }) else { return };
    let error = siconos.solve(&slip()).expect_err("501 takes no block matrices");
    assert!(error.text.contains("ended (exit status") || error.text.contains("signal"), "{}", error.text);
    let mut siconos = start(tight()).expect("it started before");
    siconos.settings.solver = 615;
    siconos.solve(&slip()).expect_err("615 is a solver of other problems");
    siconos.settings.solver = 4711;
    let error = siconos.solve(&slip()).expect_err("there is no solver 4711");
    assert_eq!(error.text, "SICONOS_SOLVER: Siconos has no solver 4711 of frictional contacts in three dimensions");
    siconos.settings.solver = solfec_tools::siconos::NSGS;
    assert!(siconos.solve(&slip()).expect("it lives on").converged);
}

#[test]
fn inconsistent_problems_are_refused() {
    let Some(mut siconos) = start(tight()) else { return };
    let mut short = slip();
    short.friction.push(0.5);
    let mut wide = slip();
    wide.w.column[0] = 7;
    for problem in [short, wide] {
        let error = siconos.solve(&problem).expect_err("inconsistent");
        assert!(error.text.contains("inconsistent"), "{}", error.text);
    }
    assert!(siconos.solve(&slip()).expect("it lives on").converged);
}

/// What Siconos prints goes to standard error, never between the answers.
#[test]
fn verbose_output_does_not_disturb() {
    let Some(mut siconos) = start(Settings { verbose: true, ..tight() }) else { return };
    for _ in 0..3 {
        assert!(siconos.solve(&slip()).expect("solved").converged);
    }
}
