//! Exports of real runs: every shape in one picture, the commands of decks, a job that goes on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use solfec::frame::Frame;
use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::Model;
use solfec::query::{Point, ShownBodies};
use solfec_formats::results::Reader;
use tools_testing::markup::*;
use tools_testing::process::{binary, output, spawn, stderr, stdout, tool};
use tools_testing::scratch::Scratch;

/// Every shape, links and springs, display points; a pseudo-rigid body that is sheared, one body born late, one
/// deleted.
const EVERYTHING: &str = "
s = SOLFEC('DYNAMIC', 1E-3, 'out/mix')
m = BULK_MATERIAL(s, young=1e7, poisson=0.25, density=1E3, label='stone')
SURFACE_MATERIAL(s, friction=0.5)
GRAVITY(s, (0, 0, -10))
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
cube = HEX(nodes, 2, 2, 2, 1, [1, 2, 3, 4, 5, 6])
BODY(s, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (9, 9, 1)), (-4, -4, -1)), m, label='FLOOR')
b = BODY(s, 'RIGID', COPY(cube), m, label='BOX')
p = BODY(s, 'PSEUDO_RIGID', TRANSLATE(COPY(cube), (1.5, 0, 0)), m, label='SOFT')
p.conf = (1, 1e-3, 0, 0, 1, 0, 0, 0, 1, 2, 0.5, 0.5)
ball = BODY(s, 'RIGID', SPHERE((3.5, 0.5, 0.5), 0.5, 1, 1), m, label='BALL')
hung = BODY(s, 'RIGID', SPHERE((0.5, 0.5, 2.5), 0.3, 1, 1), m, label='HUNG')
bob = BODY(s, 'RIGID', SPHERE((3.5, 0.5, 2.5), 0.2, 1, 1), m)
mixed = MESH([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1, .5,.5,2, 2,0,0, 2,0,1, 3,.5,.5],
             [8,0,1,2,3,4,5,6,7,1, 5,4,5,6,7,8,2, 6,1,9,2,5,10,6,3, 4,9,2,10,11,4], 3)
WARNINGS('OFF')
BODY(s, 'RIGID', TRANSLATE(mixed, (-1, 3, 0)), m, label='MIXED')
BODY(s, 'RIGID', HULL([0,-2,0, 1,-2,0, 0,-1,0, 0,-2,1, 1,-1,0], 1, 1), m, label='HULL')
DISPLAY_POINT(b, (0.5, 0.5, 0.5), 'inner')
DISPLAY_POINT(p, (2, 0, 1))
PUT_RIGID_LINK(b, hung, (0.5, 0.5, 1), (0.5, 0.5, 2.5))
PUT_SPRING(ball, (3.5, .5, .5), bob, (3.5, .5, 2.5), (1e4, 10), (-1, 1))
OUTPUT(s, 0.02)
solver = GAUSS_SEIDEL_SOLVER(1E-6, 1000)
";

/// Runs a deck in a folder; what it printed.
fn run(scratch: &Scratch, deck: &str, args: &[&str]) -> String {
    std::fs::write(scratch.path("deck.py"), deck).unwrap();
    let done = output(&mut live(scratch, args));
    assert!(done.status.success(), "{}", stderr(&done));
    stdout(&done)
}

fn live(scratch: &Scratch, args: &[&str]) -> Command {
    let mut command = Command::new(binary("sf-run"));
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    command.args(["-q", "deck.py"]).args(args).current_dir(scratch).stdin(Stdio::null());
    command
}

/// What is stored. The results are closed again: HDF5 follows no link into a file that the same process holds open.
fn stored(out: &Path) -> (Model, Vec<Frame>) {
    let results = Reader::open(out).unwrap();
    let frames = (0..results.frames(0).unwrap().len()).map(|k| results.read_frame(0, k).unwrap()).collect();
    (results.model().unwrap().domains.remove(0), frames)
}

/// Sum of the reactions of contacts in global axes, from the local components: nothing of `con/force`.
fn total_reaction(frame: &Frame) -> Vec3 {
    let c = &frame.constraints;
    let force = |i: usize| c.base(i) * Vec3::from(c.r[i]);
    (0..c.id.len()).filter(|&i| c.kind[i] == 0).map(force).sum()
}

/// XDMF_EXPORT of every supported geometry, kind of body and constraint.
#[test]
fn exports_pass_through_the_readers_of_vtk() {
    let scratch = Scratch::new();
    run(&scratch, &format!("{EVERYTHING}RUN(s, solver, 0.1)\n"), &[]);
    let (out, viz) = (scratch.path("out/mix"), scratch.path("viz"));
    for format in ["xdmf", "vtkhdf"] {
        let args = ["-o", viz.to_str().unwrap(), "--format", format, "--attr", "DISP,VELO,STRESS,MISES,REAC,RELV,GAP"];
        let done = tool("sf-xdmf", &[&[out.to_str().unwrap()], &args[..]].concat());
        assert!(done.status.success(), "{}", stderr(&done));
    }
    let (model, frames) = stored(&out);
    assert_eq!(frames.len(), 6);
    for family in ["bodies", "points", "contacts", "edges"] {
        let file = |ending: &str| viz.join(format!("mix_{family}.{ending}"));
        // Times, points, cells and arrays, the off-diagonal stress among them, through both readers.
        vtk_reads(&file("xmf"), &[file("xmf"), file("vtkhdf")]);
        let steps = one(&file("xmf"));
        let times: Vec<f64> = steps.iter().map(|g| g.time).collect();
        let stored: Vec<f64> = frames.iter().map(|f| f.time).collect();
        assert_eq!(times, stored, "{family}: times are exact");
    }
    paraview_reads(&["bodies", "points", "contacts", "edges"].map(|f| viz.join(format!("mix_{f}.xmf"))));
    let bodies = one(&viz.join("mix_bodies.xmf"));
    let kinds: std::collections::BTreeSet<usize> = cells(&bodies[0]).iter().map(|c| c.0).collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [3, 6, 7, 8, 9]);
    for (grid, frame) in bodies.iter().zip(&frames) {
        motion_is_that_of_the_results(grid, frame, &model);
        shear_is_shown(grid, frame);
    }
    for (grid, frame) in one(&viz.join("mix_contacts.xmf")).iter().zip(&frames) {
        let (force, kind) = (&grid.array("force").data.values, &grid.array("kind").data.values);
        let shown = (0..kind.len()).filter(|&i| kind[i] == 0.0);
        let shown: Vec3 = shown.map(|i| Vec3::from_column_slice(&force[3 * i..3 * i + 3])).sum();
        let stored = total_reaction(frame);
        assert!((shown - stored).norm() <= 1e-12 * stored.norm(), "{shown:?} {stored:?}");
    }
}

fn motion_is_that_of_the_results(grid: &Grid, frame: &Frame, model: &Model) {
    let (x, d) = (&grid.points.values, &grid.array("displacement").data.values);
    let v = &grid.array("velocity").data.values;
    for (i, (_, nodes)) in cells(grid).iter().enumerate() {
        let row = grid.array("BID").data.values[i] as u32 - 1;
        for &n in nodes {
            let at = |a: &[f64]| Vec3::from_column_slice(&a[3 * n..3 * n + 3]);
            let point = Point::new(at(x) - at(d));
            let body = ShownBodies::of(model, frame).find(CatalogueRow(row)).unwrap();
            for (shown, stored) in
                [(at(x), body.place(&point)), (at(d), body.displacement(&point)), (at(v), body.velocity(&point))]
            {
                assert!((shown - stored).norm() < 1e-13, "{shown:?} {stored:?}");
            }
        }
    }
}

/// The second number of the tensor is the shear stress of the pseudo-rigid body.
fn shear_is_shown(grid: &Grid, frame: &Frame) {
    let f = solfec::math::Mat3::from_row_slice(&frame.pseudo.f[0]);
    let strain = (f.transpose() * f - solfec::math::Mat3::identity()) * 0.5;
    let (lambda, mu) = (4e6, 4e6);
    let second = strain * (2.0 * mu) + solfec::math::Mat3::identity() * (lambda * strain.trace());
    let cauchy = f * second * f.transpose() / f.determinant();
    let stress = &grid.array("stress").data.values;
    let soft = grid.array("BID").data.values.iter().position(|&id| id == 3.0).unwrap();
    let wanted = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|at| cauchy[at]);
    for (shown, wanted) in stress[6 * soft..6 * soft + 6].iter().zip(wanted) {
        assert!((shown - wanted).abs() < 1e-9 * cauchy.amax(), "{shown} {wanted}");
    }
    assert!(frame.time > 0.0 || wanted[1].abs() > 1e3, "there is shear to be seen");
}

/// Edges run from point to point of their bodies, and vanish with their constraint.
#[test]
fn links_and_springs_are_lines() {
    let scratch = Scratch::new();
    let more = "link = s.constraints[1]\nRUN(s, solver, 0.02)\nDELETE(s, link)\nRUN(s, solver, 0.02)\n\
                DELETE(s, bob)\nRUN(s, solver, 0.02)\n";
    run(&scratch, &format!("{EVERYTHING}{more}"), &[]);
    let (out, viz) = (scratch.path("out/mix"), scratch.path("viz"));
    let done = tool("sf-xdmf", &[out.to_str().unwrap(), "-o", viz.to_str().unwrap(), "--parts", "edges"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let (model, frames) = stored(&out);
    let steps = one(&viz.join("mix_edges.xmf"));
    assert_eq!(steps.len(), frames.len());
    let joined = [(5.0, 1, [0.5, 0.5, 1.0], 4, [0.5, 0.5, 2.5]), (6.0, 3, [3.5, 0.5, 0.5], 5, [3.5, 0.5, 2.5])];
    let mut counts = Vec::new();
    for (grid, frame) in steps.iter().zip(&frames) {
        let real = grid.array("id").data.values.iter().filter(|&&id| id != 0.0).count();
        counts.push(real);
        for (i, (code, nodes)) in cells(grid).iter().enumerate().take(real) {
            let kind = grid.array("kind").data.values[i];
            let (_, one, p, two, q) = joined.into_iter().find(|j| j.0 == kind).unwrap();
            let bodies = ShownBodies::of(&model, frame);
            let place = |row, p: [f64; 3]| bodies.find(CatalogueRow(row)).map(|b| b.place(&Point::new(p.into())));
            let ends = [place(one, p), place(two, q)];
            assert_eq!(*code, 2);
            for (n, end) in nodes.iter().zip(ends) {
                let shown = Vec3::from_column_slice(&grid.points.values[3 * n..3 * n + 3]);
                assert!((shown - end.unwrap()).norm() < 1e-13);
            }
        }
    }
    assert_eq!(counts, [2, 2, 1, 0]);
}

/// Points that move along x with 1 m/s are shown to do so, before BODY_CHARS moves the mass centre and after.
#[test]
fn shapes_stay_where_they_are_when_the_mass_centre_is_moved() {
    let scratch = Scratch::new();
    let more = "s = SOLFEC('DYNAMIC', 1E-2, 'out/recentred')
m = BULK_MATERIAL(s, young=1e7, poisson=0.25, density=1E3)
b = BODY(s, 'RIGID', COPY(cube), m)
INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 0))
OUTPUT(s, 0.1)
RUN(s, solver, 0.2)
BODY_CHARS(b, 5, 1, (.6, .7, .4), (2, 0, 0, 0, 3, 0, 0, 0, 4))
RUN(s, solver, 0.2)
";
    run(&scratch, &format!("{EVERYTHING}{more}"), &[]);
    let viz = scratch.path("viz");
    let done = tool("sf-xdmf", &[scratch.path("out/recentred").to_str().unwrap(), "-o", viz.to_str().unwrap()]);
    assert!(done.status.success(), "{}", stderr(&done));
    let steps = one(&viz.join("recentred_bodies.xmf"));
    assert_eq!(steps.len(), 5);
    for (grid, time) in steps.iter().zip([0.0, 0.1, 0.2, 0.3, 0.4]) {
        for (k, (x, first)) in grid.points.values.iter().zip(&steps[0].points.values).enumerate() {
            let wanted = first + if k % 3 == 0 { time } else { 0.0 };
            assert!((x - wanted).abs() < 1e-12, "{time} s: {x}, not {wanted}");
        }
    }
}

/// When the last body of a family has gone, by DELETE or over the EXTENTS, a point of id 0 stays: readers that take the
/// step before where there is none would show the body.
#[test]
fn nobody_stays_who_has_gone() {
    const DECK: &str = "
s = SOLFEC('DYNAMIC', 1E-2, 'out/gone')
m = BULK_MATERIAL(s, young=1e6, poisson=0.25, density=1E3)
ball = BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), m)
hull = BODY(s, 'RIGID', HULL([3,0,0, 4,0,0, 3,1,0, 3,0,1], 1, 1), m)
INITIAL_VELOCITY(hull, (20, 0, 0), (0, 0, 0))
EXTENTS(s, (-6, -6, -6, 6, 6, 6))
OUTPUT(s, 0.05)
solver = GAUSS_SEIDEL_SOLVER(1E-3, 10)
RUN(s, solver, 0.1)
DELETE(s, ball)
RUN(s, solver, 0.1)
BODY(s, 'RIGID', SPHERE((0, 5, 0), 1, 1, 1), m)
RUN(s, solver, 0.1)
";
    let scratch = Scratch::new();
    run(&scratch, DECK, &[]);
    let (out, viz) = (scratch.path("out/gone"), scratch.path("viz"));
    for format in ["xdmf", "vtkhdf"] {
        let args = ["-o", viz.to_str().unwrap(), "--format", format, "--attr", "DISP,VELO,STRESS,MISES,ENERGY"];
        let done = tool("sf-xdmf", &[&[out.to_str().unwrap()], &args[..]].concat());
        assert!(done.status.success(), "{}", stderr(&done));
    }
    let (_, frames) = stored(&out);
    for (family, of_family) in [("bodies", &[2][..]), ("points", &[1, 3])] {
        let file = |ending: &str| viz.join(format!("gone_{family}.{ending}"));
        let steps = one(&file("xmf"));
        assert_eq!(steps.len(), frames.len(), "{family}");
        let mut nothing = 0;
        for (grid, frame) in steps.iter().zip(&frames) {
            let mut shown: Vec<u32> = grid.array("BID").data.values.iter().map(|&id| id as u32).collect();
            shown.dedup();
            let mut wanted: Vec<u32> =
                frame.rigid.body.iter().map(|row| row + 1).filter(|id| of_family.contains(id)).collect();
            if wanted.is_empty() {
                wanted.push(0);
                nothing += 1;
                assert_eq!(grid.count(), 1);
                assert!(grid.array("velocity").data.values.iter().all(|&v| v == 0.0));
            }
            assert_eq!(shown, wanted, "{family} at {}", frame.time);
        }
        assert!(nothing > 1 && nothing < frames.len() - 1, "{family}: {nothing}");
        vtk_reads(&file("xmf"), &[file("xmf"), file("vtkhdf")]);
    }
    paraview_reads(&["bodies", "points"].map(|family| viz.join(format!("gone_{family}.xmf"))));
}

/// WRITE: the bodies as they are; READ: stored frames; rules of time and subset (F.1).
#[test]
fn xdmf_export_in_both_modes() {
    let scratch = Scratch::new();
    let deck = format!(
        "{EVERYTHING}
def refused(*arguments):
    try:
        XDMF_EXPORT(s, *arguments)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error).split(': ', 2)[2])
RENDER(s, b)
XDMF_EXPORT(s, 0, 'viz/before')
RUN(s, solver, 0.1)
if s.mode == 'WRITE':
    XDMF_EXPORT(s, (0, 0.1), 'viz/now', ['BO', ball])
else:
    XDMF_EXPORT(s, (0.02, 0.06), 'viz/span')
    XDMF_EXPORT(s, [0.02, 0.06], 'viz/list', 'BALL')
    XDMF_EXPORT(s, 0.041, 'viz/one/', [3, b, (-1, -3, 0.5, 0.5, -1.5, 1), 'FLOOR'], ['STRESS', 'GAP'])
    refused(0, 'viz/x', 'NOBODY')
    refused(0, 'viz/x', 7.5)
    refused(0, 'viz/x', [])
    refused(0, 'viz/x', None, ['HEAT'])
    refused(0, 'viz/x', None, 'DISP')
    refused('now', 'viz/x')
"
    );
    assert_eq!(run(&scratch, &deck, &[]), "");
    let at = |name: &str, family: &str| scratch.path(&format!("viz/{name}/{name}_{family}.xmf"));
    let now = &one(&at("now", "bodies"))[..];
    assert_eq!((now.len(), now[0].time), (1, 0.1));
    assert!(now[0].array("BID").data.values.iter().all(|&id| id == 2.0));
    assert_eq!(one(&at("now", "points"))[0].array("BID").data.values, [2.0, 4.0], "display point and ball");
    assert!(!at("now", "contacts").exists(), "no contacts in WRITE mode");
    assert_eq!(one(&at("before", "bodies"))[0].time, 0.0);
    assert_eq!(one(&at("before", "edges"))[0].cells, 2);
    let told = run(&scratch, &deck, &[]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 6, "{told}");
    for (line, (kind, text)) in lines.iter().zip([
        ("ValueError", "'NOBODY' names no body"),
        ("TypeError", "subset: is 7.5"),
        ("ValueError", "subset: is an empty list"),
        ("ValueError", "'HEAT' is no attribute"),
        ("TypeError", "attributes: is 'DISP'"),
        ("TypeError", "time: is 'now'"),
    ]) {
        assert!(line.starts_with(kind) && line.contains(text), "{line}");
    }
    let times = |name: &str, family: &str| -> Vec<f64> {
        one(&at(name, family)).iter().map(|g| (g.time * 1e9).round() / 1e9).collect()
    };
    assert_eq!(times("span", "bodies"), [0.02, 0.04, 0.06]);
    assert_eq!(times("list", "points"), [0.02, 0.06]);
    assert!(!at("list", "bodies").exists());
    assert_eq!(times("one", "contacts"), [0.04]);
    let one_of = one(&at("one", "bodies"));
    let mut ids = one_of[0].array("BID").data.values.clone();
    ids.dedup();
    assert_eq!(ids, [1.0, 2.0, 8.0, 3.0]);
    let names: Vec<&str> = one_of[0].arrays.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["BID", "label", "kind", "material", "volid", "surfid", "stress"]);
    std::fs::remove_dir_all(scratch.path("out")).unwrap();
    assert_eq!(times("one", "contacts"), [0.04], "exports of decks stand alone");
}

/// They stand in the model.
#[test]
fn display_points_are_carried() {
    let scratch = Scratch::new();
    let shown = "RUN(s, solver, 0.1)\nprint(b.display_points[0][0], p.display_points[0][1] == \
                 tuple(x + d for x, d in zip((2, 0, 1), DISPLACEMENT(p, (2, 0, 1)))), ball.display_points)\n\
                 try: DISPLAY_POINT(b, (1.1, 0.5, 0.5))\nexcept ValueError as error: print(error)\n";
    let told = run(&scratch, &format!("{EVERYTHING}{shown}"), &[]);
    assert!(told.starts_with("inner True []\n") && told.contains("point: is outside of the body"), "{told}");
    let build = |deck: &str| {
        std::fs::write(scratch.path("deck.py"), deck).unwrap();
        let mut command = Command::new(binary("sf-build"));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        output(command.args(["-q", "-f", "-o", "m.h5", "deck.py"]).current_dir(&scratch).stdin(Stdio::null()))
    };
    let built = build(EVERYTHING);
    assert!(built.status.success(), "{}", stderr(&built));
    let viz = scratch.path("viz");
    let model = scratch.path("m.h5");
    let done = tool("sf-xdmf", &["--initial", model.to_str().unwrap(), "-o", viz.to_str().unwrap()]);
    assert!(done.status.success(), "{}", stderr(&done));
    let points = &one(&viz.join("mix_points.xmf"))[0];
    let displayed: Vec<usize> = (0..points.count()).filter(|&i| points.array("radius").data.values[i] == 0.0).collect();
    let labels = std::fs::read_to_string(viz.join("mix_labels.csv")).unwrap();
    let label = |i: usize| points.array("point_label").data.values[i] as usize;
    let text = |number: usize| labels.lines().nth(number + 1).unwrap().split_once(',').unwrap().1.to_string();
    let found: Vec<String> = displayed.iter().map(|&i| text(label(i))).collect();
    assert_eq!(found, ["inner", ""]);
    assert_eq!(points.points.values[3 * displayed[0]..3 * displayed[0] + 3], [0.5; 3]);
}

/// While a job runs its files grow; whenever they are looked at they are whole. When the job is over the follower ends.
#[test]
fn follows_a_running_job() {
    let scratch = Scratch::new();
    let slow = "import time\nOUTPUT(s, 0.01)\nCALLBACK(s, 0.01, None, lambda data: time.sleep(0.15) or 1)\n\
                RUN(s, solver, 0.3)\n";
    std::fs::write(scratch.path("deck.py"), format!("{EVERYTHING}{slow}")).unwrap();
    let mut job = spawn(live(&scratch, &[]).stdout(Stdio::null()).stderr(Stdio::inherit()));
    let (out, viz) = (scratch.path("out/mix"), scratch.path("viz"));
    let patience = Instant::now() + Duration::from_secs(120);
    let wait = |done: &dyn Fn() -> bool| {
        while !done() {
            assert!(Instant::now() < patience, "nothing happened");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    wait(&|| out.join("mix.sfr.h5").exists());
    let mut follower = Command::new(binary("sf-xdmf"));
    follower.args([out.to_str().unwrap(), "-o", viz.to_str().unwrap(), "--follow"]);
    let mut follower = spawn(follower.stdout(Stdio::null()).stderr(Stdio::null()));
    let bodies = viz.join("mix_bodies.xmf");
    wait(&|| bodies.exists());
    let early = one(&bodies).len();
    assert!(job.try_wait().unwrap().is_none(), "the job still runs");
    assert!(early < 31, "{early} steps");
    assert!(job.wait().unwrap().success());
    assert!(follower.wait().unwrap().success());
    assert_eq!(one(&bodies).len(), 31);
    assert_eq!(one(&viz.join("mix_contacts.xmf")).len(), 31);
    let rest = std::fs::read_dir(&viz).unwrap().map(|e| e.unwrap().path());
    assert!(rest.into_iter().all(|p: std::path::PathBuf| p.extension() != Some(Path::new("part").as_os_str())));
    // The results of a job that is over are exported at once.
    let again = tool("sf-xdmf", &[out.to_str().unwrap(), "-o", viz.to_str().unwrap(), "--follow", "--force"]);
    assert!(again.status.success(), "{}", stderr(&again));
}
