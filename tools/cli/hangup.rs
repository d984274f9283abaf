//! A terminal that hangs up: a tool says so where it still can, and ends with code 129. sf-run listens for itself, since
//! it stores a checkpoint first.

use std::io::Write;

use signal_hook::consts::SIGHUP;
use signal_hook::iterator::Signals;
use signal_hook::low_level;

/// Begins to listen, unless the tool was started with the signal ignored, as nohup does.
pub(super) fn listen(tool: &'static str) {
    if tool == "sf-run" || ignored(SIGHUP) {
        return;
    }
    let Ok(mut signals) = Signals::new([SIGHUP]) else { return };
    // Without the thread the signal ends the tool as the system does.
    let end = move || {
        if signals.forever().next().is_some() {
            let _ = writeln!(std::io::stderr(), "{tool}: error: the terminal hung up; unfinished files are not kept");
            low_level::exit(128 + SIGHUP);
        }
    };
    let _ = std::thread::Builder::new().name("hangup".into()).spawn(end);
}

/// Whether the process was started with this signal ignored.
pub fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
