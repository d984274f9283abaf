//! sf-xdmf: files for ParaView from results.

#[global_allocator]
static MEMORY: solfec_tools::cli::OrEnd = solfec_tools::cli::OrEnd;

fn main() -> std::process::ExitCode {
    solfec_tools::cli::main_with("sf-xdmf", solfec_tools::xdmf::run)
}
