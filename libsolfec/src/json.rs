//! Numbers in JSON, which has no infinities: ±inf and NaN are the strings "inf", "-inf", "nan". Binary formats keep
//! them as numbers.

/// A number. Use as `#[serde(with = "real")]`.
pub mod real {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        if x.is_finite() || !s.is_human_readable() {
            s.serialize_f64(*x)
        } else if x.is_nan() {
            s.serialize_str("nan")
        } else if *x > 0.0 {
            s.serialize_str("inf")
        } else {
            s.serialize_str("-inf")
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Real {
        Number(f64),
        Text(String),
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        if !d.is_human_readable() {
            return f64::deserialize(d);
        }
        match Real::deserialize(d)? {
            Real::Number(x) => Ok(x),
            Real::Text(t) => match t.as_str() {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                "nan" => Ok(f64::NAN),
                other => Err(D::Error::custom(format!("'{other}' is not a number"))),
            },
        }
    }
}

/// Arrays of such numbers.
pub mod reals {
    use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Item(#[serde(with = "super::real")] f64);

    pub fn serialize<S: Serializer, const N: usize>(x: &[f64; N], s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(x.iter().map(|&v| Item(v)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(d: D) -> Result<[f64; N], D::Error> {
        let items = Vec::<Item>::deserialize(d)?;
        let n = items.len();
        let values: Vec<f64> = items.into_iter().map(|i| i.0).collect();
        values.try_into().map_err(|_| D::Error::custom(format!("{N} numbers are wanted, not {n}")))
    }
}
