use super::*;
use solfec_tools::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use solfec_tools::deck::{self, Deck, Environment, Language, Objects, Python2, Value};

static DUMMY: Command = Command {
    name: "DUMMY",
    chapter: Chapter::Environment,
    args: &[
        Arg::new("factor", Kind::POSITIVE, "a factor"),
        Arg::new("what", Kind::Text, "a text").or(Default::Text("x")).alias(&["waht"]),
    ],
    returns: "the text, repeated",
    modes: Modes::Both,
    doc: "Repeats a text.",
    run: |_, args| {
        let count = args.real("factor")? as usize;
        Ok(Value::Text(args.text("what")?.repeat(count)))
    },
};

#[test]
fn adds_a_command() {
    let folder = Folder::new();
    folder.write(
        "deck.py",
        "r = [DUMMY(2), DUMMY(2, 'a'), DUMMY(factor=3, what='b'), DUMMY(1.0, waht='c'), DUMMY.__doc__[:26]]\n\
         from solfec import DUMMY as D\ntry: D(-1)\nexcept ValueError as e: r.append(str(e).split(': ', 1)[1])\n\
         import os; open(os.path.join(os.path.dirname(__file__), 'seen'), 'w').write(' '.join(r))\n",
    );
    let deck = Deck {
        text: None,
        muted: false,
        child: None,
        path: folder.path("deck.py"),
        root: None,
        python2: Python2::Never,
        set: Vec::new(),
        stdout_taken: false,
    };
    let language = Language::standard().with(&DUMMY);
    let mut objects = Objects::new(Environment::default());
    deck::run(&deck, &language, &mut objects, None, &mut |_, _| ()).unwrap();
    let expected = "xx aa bbb c DUMMY (factor | what='x')\n DUMMY: factor: is -1; give a number > 0";
    assert_eq!(folder.read("seen"), expected);
    assert!(deck::reference::markdown(&language).contains("### DUMMY"));
}
