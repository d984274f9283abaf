//! sf-locdyn-compare: local dynamics compared and solved.

fn main() -> std::process::ExitCode {
    solfec_tools::cli::main_with("sf-locdyn-compare", solfec_tools::locdyn::run)
}
