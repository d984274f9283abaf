//! Whether the processor has the instructions that the tools were compiled for (.cargo/config.toml).

#[cfg(target_arch = "x86_64")]
const REMEDY: &str = "the tools were built for processors with AVX2, which this one lacks; build them again with \
                      RUSTFLAGS='-C target-cpu=x86-64' make build";

/// Why this processor cannot run the tools, and what to do.
#[cfg(target_arch = "x86_64")]
pub(super) fn unfit() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    if !cfg!(target_feature = "avx2") {
        return None;
    }
    // `is_x86_feature_detected` says yes to whatever the program was compiled for.
    let extended = if __cpuid(0).eax < 7 { 0 } else { __cpuid_count(7, 0).ebx };
    (!has_avx2(__cpuid(1).ecx, extended)).then_some(REMEDY)
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn unfit() -> Option<&'static str> {
    None
}

/// By the words that CPUID returns in ECX of leaf 1 and in EBX of leaf 7: OSXSAVE, AVX and FMA; AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
fn has_avx2(first: u32, extended: u32) -> bool {
    [27, 28, 12].iter().all(|bit| first >> bit & 1 == 1) && [5, 8].iter().all(|bit| extended >> bit & 1 == 1)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn a_processor_without_avx2_is_told_of() {
        // Words of a Core i7-2600 (AVX, no AVX2), of a Xeon E5-2690 v3, and of nothing.
        assert!(!has_avx2(0x1fba_e3bf, 0x0));
        assert!(has_avx2(0x7ffe_fbff, 0x0000_37ab));
        assert!(!has_avx2(0, 0));
        assert_eq!(unfit(), None, "this processor runs this test");
    }
}
