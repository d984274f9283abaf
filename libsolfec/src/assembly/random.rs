//! Numbers without order that are the same everywhere: SplitMix64 (Steele, Lea and Flood 2014).

use crate::math::Vec3;

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In a box.
    pub fn within(&mut self, low: &Vec3, high: &Vec3) -> Vec3 {
        let [x, y, z] = [self.unit(), self.unit(), self.unit()];
        low + (high - low).component_mul(&Vec3::new(x, y, z))
    }

    /// A unit vector, all directions alike.
    pub fn direction(&mut self) -> Vec3 {
        const LEAST: f64 = 0.01;
        loop {
            let x = self.within(&Vec3::repeat(-1.0), &Vec3::repeat(1.0));
            if (LEAST..=1.0).contains(&x.norm_squared()) {
                return x / x.norm_squared().sqrt();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the generator for the seed 1234567, from its reference implementation.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        assert_eq!([random.bits(), random.bits()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
