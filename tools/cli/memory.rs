//! Memory that is not to be had: the tool says how much it wanted and ends with code 71, instead of aborting. Files of
//! ours appear whole or not at all, so nothing has to be done for them.
//!
//! Rust's own way is to abort, and its hook for that is not stable: hence an allocator around that of the system.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::OnceLock;

use super::Exit;

/// Name of the tool and what it advises.
static TOOL: OnceLock<(&'static str, &'static str)> = OnceLock::new();

/// Says which tool this is.
pub(super) fn name_tool(tool: &'static str) {
    let advice = match tool {
        "sf-run" => "; results stored so far are whole: with more memory, sf-run -c goes on",
        _ => "; free memory, or raise the limit (ulimit -v)",
    };
    let _ = TOOL.set((tool, advice));
}

/// The allocator of the system, which ends the process where it has no memory. To be the `#[global_allocator]` of a
/// binary.
pub struct OrEnd;

// Safety: every call goes to `System` with the arguments as they came, and its answer comes back unchanged; where the
// answer is null the process ends. Nothing is kept, and the end does not allocate: its text is made on the stack and
// written by the system, and no handler of exit runs.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_end(unsafe { System.realloc(at, layout, size) }, size)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

fn or_end(found: *mut u8, bytes: usize) -> *mut u8 {
    if found.is_null() {
        end(bytes);
    }
    found
}

#[cold]
fn end(bytes: usize) {
    let (tool, advice) = TOOL.get().copied().unwrap_or(("solfec-tools", ""));
    let mut buffer = [0u8; 256];
    let mut rest = &mut buffer[..];
    let megabytes = bytes.div_ceil(1 << 20);
    // Longer than this is no text of ours.
    let _ = writeln!(rest, "{tool}: error: out of memory: {megabytes} MB more are wanted{advice}");
    let left = rest.len();
    let text = &buffer[..buffer.len() - left];
    let _ = rustix::io::write(rustix::stdio::stderr(), text);
    signal_hook::low_level::exit(Exit::Memory.code().into());
}
