//! What a run of a recorded model needs from outside of the library.

use solfec::load::{Call, NoFunctions, UserFunctions};
use solfec::simulation::Outside;
use solfec::solver::External;
use solfec_tools::siconos::OnDemand;

/// No user functions; Siconos when a RUN asks for it.
#[derive(Default)]
pub struct Recorded {
    pub siconos: OnDemand,
}

impl UserFunctions for Recorded {
    fn values(&mut self, calls: &[Call]) -> solfec::Result<Vec<Vec<f64>>> {
        NoFunctions.values(calls)
    }
}

impl Outside for Recorded {
    fn external(&mut self) -> &mut dyn External {
        &mut self.siconos
    }
}
