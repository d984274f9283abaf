use super::*;

fn needs_live(deck: &str, line: u32, command: &str) {
    let (code, errors) = fails(deck);
    assert_eq!(code, 7, "{errors}");
    let place = format!("sf-build: error: deck.py:{line}: {command}: ");
    assert!(errors.starts_with(&place) && errors.ends_with("; use: sf-run deck.py\n"), "{errors}");
    assert_eq!(errors.lines().count(), 1);
}

#[test]
fn constructs_that_cannot_be_recorded() {
    let run = format!(
        "{START}b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\ng = GAUSS_SEIDEL_SOLVER(1e-3, 10)\nRUN(s, g, 1)\n"
    );
    needs_live(&format!("{START}CALLBACK(s, 1, None, print)\n"), 3, "CALLBACK");
    needs_live(&format!("{run}HISTORY(s, (s, 'KINETIC'), 0, 1)\n"), 6, "HISTORY");
    needs_live(&format!("{run}s.time\n"), 6, "SOLFEC.time");
    needs_live(&format!("{run}b.conf\n"), 6, "BODY.conf");
    needs_live(&format!("{run}g.iters\n"), 6, "GAUSS_SEIDEL_SOLVER.iters");
    needs_live(&format!("{START}GAUSS_SEIDEL_SOLVER(1, 1).itershist = 'ON'\n"), 3, "GAUSS_SEIDEL_SOLVER.itershist");
    needs_live(&format!("{run}MASS_CENTER(b)\n"), 6, "MASS_CENTER");
    needs_live(&format!("{run}SOLFEC('DYNAMIC', 1, 'out/test')\n"), 6, "SOLFEC");
    needs_live(&format!("{run}SOLFEC('DYNAMIC', 1, './out//test')\n"), 6, "SOLFEC");
    needs_live(&format!("{run}s.step\n"), 6, "SOLFEC.step");
    needs_live(&format!("{run}DURATION(s)\n"), 6, "DURATION");
}

/// Which bodies are left after a RUN with EXTENTS; without, and before, all are there that the deck does not delete.
#[test]
fn who_is_left_within_extents() {
    let body = "b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m, label='B')\n";
    let (extents, run) = ("EXTENTS(s, (-5,-5,-5, 5,5,5))\n", "RUN(s, 'AUTO', 1)\n");
    let asks = |before: &str| {
        for (asked, command) in
            [("s.nbod", "SOLFEC.nbod"), ("s.bodies", "SOLFEC.bodies"), ("BYLABEL(s, 'BODY', 'B')", "BYLABEL")]
        {
            needs_live(&format!("{START}{body}{before}{asked}\n"), before.lines().count() as u32 + 4, command);
        }
    };
    asks(&format!("{extents}{run}"));
    asks(&format!("{run}{extents}{run}"));
    let knows = "assert (s.nbod, s.bodies, BYLABEL(s, 'BODY', 'B')) == (1, [b], b)\n";
    model(&format!("{START}{body}{run}{extents}{knows}"));
    model(&format!("{START}{body}{extents}{run}BYLABEL(s, 'BULK_MATERIAL', 'steel')\n"));
}

#[test]
fn a_deck_cannot_swallow_it() {
    needs_live(&format!("{START}try: CALLBACK(s, 1, None, print)\nexcept Exception: pass\n"), 3, "CALLBACK");
    needs_live(&format!("{START}try: CALLBACK(s, 1, None, print)\nexcept: pass\n"), 3, "CALLBACK");
}

#[test]
fn reading_code_behind_the_mode_is_not_reached() {
    let deck = format!(
        "{START}RUN(s, PENALTY_SOLVER(), 1)\nSEEK(s, 1); FORWARD(s, 2)\nif s.mode == 'READ': HISTORY(s, [], 0, 1)\n"
    );
    assert_eq!(model(&deck).program.len(), 1);
}

/// Exports are left out with a warning, before RUN and after it.
#[test]
fn exports_are_not_part_of_a_model() {
    let exports = "XDMF_EXPORT(s, 0, 'viz/a')\nSOLFEC_EXPORT(s, 0, 'out/b')\n";
    let body = "BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\n";
    let run = "RUN(s, PENALTY_SOLVER(), 1)\n";
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}{body}{exports}{run}{exports}"));
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    let told = text(&out.stderr);
    assert!(out.status.success(), "{told}");
    for line in [
        "deck.py:4: XDMF_EXPORT: is not part of a model: use sf-xdmf on the results",
        "deck.py:5: SOLFEC_EXPORT: is not part of a model: use sf-run --pack on the results",
        "deck.py:7: XDMF_EXPORT: is not part of a model",
    ] {
        assert!(told.contains(line), "{told}");
    }
    assert!(!folder.path("viz").exists() && !folder.path("out/b").exists());
    assert_eq!(model(&format!("{START}{body}{exports}{run}{exports}")), model(&format!("{START}{body}{run}")));
}
