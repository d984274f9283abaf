//! Opening long results and histories of large ones, in this process; docs/benchmarks.md has the numbers.
//!
//!     cargo bench --bench histories

use std::error::Error;
use std::time::Instant;

use solfec_formats::results::Reader;
use solfec_tools::history::item::Item;
use solfec_tools::history::sample::Source;
use tools_testing::made;
use tools_testing::scratch::Scratch;

/// The middle one of this many.
const REPEATS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Scratch::new();
    let (long, large) = (folder.path("long"), folder.path("large"));
    made::write(&long, 1, 100_000)?;
    let opened = median(|| Ok(Reader::open(&long)?.frame_times(0)?.len()))?;
    println!("open results of 1e5 frames, with their times: {opened:.4} s");
    let point = history(&long, "CZ@id:1(0,0,1)")?;
    println!("a point over them: {point:.4} s");
    std::fs::remove_dir_all(&long)?;
    made::write(&large, 10_000, 1_000)?;
    for item in ["CZ@id:7000(6999,0,0)", "VZ@label:BALL6999", "KINETIC", "KINETIC@id:1-10"] {
        println!("{item} over 1e3 frames of 1e4 bodies: {:.3} s", history(&large, item)?);
    }
    Ok(())
}

/// What sf-history does for one item, but for the text [s].
fn history(results: &std::path::Path, item: &str) -> Result<f64, Box<dyn Error>> {
    let item: Item = item.parse()?;
    median(|| {
        let results = Reader::open(results)?;
        let models = if item.needs_model() { results.model()?.domains } else { Vec::new() };
        let taken = (0..results.frame_times(0)?.len()).collect();
        let mut source = Source::new(&results, 0, models.first(), taken).map_err(|e| e.text)?;
        Ok(source.values(&item.expr).map_err(|e| e.text)?.len())
    })
}

fn median(work: impl Fn() -> Result<usize, Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let begun = Instant::now();
        work()?;
        times.push(begun.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[REPEATS / 2])
}
