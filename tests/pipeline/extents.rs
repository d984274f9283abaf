//! Geometry as described by decks.

use super::common::*;
use super::BALL;

/// EXTENTS with max < min is a ValueError.
#[test]
fn extents_upside_down_are_refused() {
    let folder = Scratch::new();
    folder.write("deck.py", &BALL.replace("OUTPUT", "EXTENTS(solfec, (1, -1, -1, 0, 1, 1))\nOUTPUT"));
    let told = fails(&folder, "sf-build deck.py -o m.h5", 3);
    assert!(told.contains("deck.py:9: EXTENTS"), "{told}");
    folder.write(
        "caught.py",
        &BALL.replace(
            "OUTPUT",
            "try:\n    EXTENTS(solfec, (1, -1, -1, 0, 1, 1))\nexcept ValueError:\n    print('caught')\nOUTPUT",
        ),
    );
    assert_eq!(done(&folder, "sf-build caught.py -o m.h5"), "caught\n");
}
