//! sf-xdmf: files for ParaView from results.

fn main() -> std::process::ExitCode {
    solfec_tools::cli::main_with("sf-xdmf", solfec_tools::xdmf::run)
}
