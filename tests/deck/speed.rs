//! Commands that a deck does not wait for (docs/decks.md): how many round trips there are, and where errors come out.

use super::*;

/// Counts what the deck has read so far: one answer of the program at least one.
const READS: &str = "def reads():\n  with open('/proc/self/io') as f: return int([x for x in f if x.startswith('syscr')][0].split()[1])\n";

#[test]
fn commands_do_not_wait() {
    let deck = format!(
        "{START}{READS}s.nbod; n = reads()\nfor i in range(10000):\n  b = BODY(s, 'RIGID', TRANSLATE(SPHERE((3*i, 0, 0), 1, 0, 0), (1, 0, 0)), m)\n  \
         INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 0))\nprint(reads() - n)\nprint(s.nbod, b.id, b.center[0])\n"
    );
    let out = prints(&deck);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].parse::<u32>().unwrap() < 50, "40 000 commands took {} reads", lines[0]);
    assert_eq!(lines[1], "10000 10000 29998.0");
}

#[test]
fn hulls_are_waited_for_only_where_their_error_may_be_caught() {
    let deck = format!(
        "{START}{READS}import sys\nknown = sys.version_info >= (3, 11)\nFLAT = [0,0,0, 1,0,0, 0,1,0, 1,1,0]\n\
         SPHERE((0,0,0), 1, 0, 0); n = reads()\n\
         for i in range(1000): h = HULL([0,0,i, 1,0,i, 0,1,i, 0,0,i+1], 1, 1)\n\
         print(reads() - n < 50 or not known, h.nver)\n\
         def tries():\n  try: HULL(FLAT, 1, 1)\n  except RuntimeError: return 'caught'\n\
         def one(): HULL(FLAT, 1, 1)\n\
         def above():\n  try: one()\n  except RuntimeError: return 'caught above'\n\
         class Swallows:\n  def __enter__(self): pass\n  def __exit__(self, *of): return True\n\
         def within():\n  with Swallows(): one()\n  return 'swallowed'\n\
         print(tries(), above(), within(), h.nver)\none()\nprint('no longer', s.nbod) if known else 0\n"
    );
    let folder = Folder::new();
    folder.write("deck.py", &deck);
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert_eq!((text(&out.stdout).as_str(), out.status.code()), ("True 4\ncaught caught above swallowed 4\n", Some(3)));
    let errors = text(&out.stderr);
    let last = errors.lines().last().unwrap_or_default();
    assert!(last.starts_with("sf-build: error: deck.py:14: HULL: convex hull is degenerate"), "{errors}");
}

#[test]
fn handles_are_those_of_the_program() {
    let deck = format!(
        "{START}a = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\nHULL([0,0,0, 1,0,0, 0,1,0, 0,0,1], 1, 1)\nx = SPHERE((1,0,0),1,0,0)\n\
         y = COPY(x); h = HEX({CUBE}, 1, 1, 1, 1, [1]*6); c = CONVEX({CUBE}, [4,0,3,2,1,0, 4,0,1,5,4,0, 4,1,2,6,5,0, 4,2,3,7,6,0, 4,3,0,4,7,0, 4,4,5,6,7,0], 1)\n\
         b = BODY(s, kind='RIGID', shape=[x, y], material=m)\nd = BODY(s, 'RIGID', [h], m, 'd')\n\
         e = BODY(solfec=s, kind='RIGID', shape=c, material=m); f = BODY(s, 'RIGID', SPHERE((9,0,0),1,0,0), m)\n\
         print([f, e, d, b, a] == s.bodies, {{v: v.id for v in s.bodies}}[d], d.label, [hash(v) for v in s.bodies] == [hash(v) for v in (f, e, d, b, a)])\n\
         print(a, x, f, a != b, a == 1, TRANSLATE(h, (0,0,0)) if 0 else TRANSLATE((0, 0, 0), (1, 2, 3)))\n\
         z = SPHERE((1,0,0),1,0,0); print(ROTATE(z, (0,0,0), (0,0,1), 90) is z, z.center[1] > 0.9, SCALE([z], (2,2,2)) == [z])\n"
    );
    assert_eq!(
        prints(&deck),
        "True 3 d True\n<BODY 0 1> <SPHERE 2 0> <BODY 0 5> True False (1.0, 2.0, 3.0)\nTrue True True\n"
    );
}

#[test]
fn the_first_error_comes_with_the_next_answer() {
    let deck = format!(
        "{START}x = SPHERE((0,0,0),1,0,0)\nSPHERE((0,0,0),-1,0,0)\nSPHERE((0,0,0),-2,0,0); print('goes on')\nBODY(s, 'RIGID', x, m)\n\
         try: s.nbod\nexcept ValueError as e: print(e)\nprint(s.nbod, x.radius)\nb = BODY(s, 'RIGID', x, m)\n\
         print(b == s.bodies[0], b)\nprint(SPHERE((7,0,0),1,0,0).center)\n"
    );
    assert_eq!(
        prints(&deck),
        "goes on\ndeck.py:4: SPHERE: radius: is -1; give a number > 0\n0 1.0\nTrue <BODY 0 1>\n(7.0, 0.0, 0.0)\n"
    );
}

#[test]
fn the_last_call_of_a_deck_may_fail() {
    let wrong = format!("{START}SPHERE((0,0,0),-1,0,0)\n");
    for end in ["", "import sys\nsys.exit(0)\n", "SystemExit\nraise KeyError('x')\n", "1/0\n"] {
        let (code, errors) = fails(&format!("{wrong}{end}"));
        assert_eq!(code, 3, "{errors}");
        let last = errors.lines().last().unwrap();
        assert_eq!(last, "sf-build: error: deck.py:3: SPHERE: radius: is -1; give a number > 0", "{errors}");
    }
    let (code, errors) = fails(&format!(
        "{START}b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\nFORCE(b, 'SPATIAL', (0,0,0), (0,0,0), print)\n"
    ));
    assert_eq!(code, 7, "{errors}");
    assert!(errors.starts_with("sf-build: error: deck.py:4: FORCE: "), "{errors}");
    let (code, errors) = fails(&format!("{START}for i in range(100000): SPHERE((i,0,0),1,0,0)\nraise KeyError('x')\n"));
    assert_eq!((code, errors.lines().last().unwrap()), (3, "sf-build: error: deck.py:4: KeyError: 'x'"));
}

#[test]
fn a_function_of_the_deck_raises_the_errors_of_its_commands() {
    let deck = format!(
        "{START}s.verbose = 'OFF'; BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\n\
         def f():\n  global b\n  b = BODY(s, 'RIGID', SPHERE((5,0,0),1,0,0), m)\ndef g():\n  SPHERE((0,0,0),-1,0,0)\n\
         CALLBACK(s, 1, (), f)\nRUN(s, 'AUTO', 0.002)\nprint(s.nbod, b.id, b == s.bodies[0])\n\
         CALLBACK(s, 1, (), g)\ntry: RUN(s, 'AUTO', 0.002)\nexcept ValueError as e: print(e)\nprint(s.nbod)\n"
    );
    let out = Folder::new().run(&deck);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(text(&out.stdout), "2 2 True\ndeck.py:8: SPHERE: radius: is -1; give a number > 0\n2\n");
}
