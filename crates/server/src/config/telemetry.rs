use super::Resolved;
use super::error::ConfigError;
use crate::traces::{Traces, TracesTo};

/// The collector of traces, if there is one.
///
/// # Errors
/// One is named, and this build has no traces.
pub(super) fn traces(resolved: &Resolved) -> Result<Option<TracesTo>, ConfigError> {
    let find = |name: &str| resolved.iter().find(|(key, ..)| key.section == "telemetry" && key.name == name);
    let Some((key, endpoint, origin)) =
        find("otlp_endpoint").filter(|(_, value, _)| !value.text().is_empty())
    else {
        return Ok(None);
    };
    if !Traces::BUILT_IN {
        let what = format!(
            "{}: this server is built without traces; `cargo build --features otlp` has them",
            key.id()
        );
        return Err(ConfigError::new(origin.clone(), what));
    }
    // The key's bound is within 32 bits.
    let per_thousand = find("otlp_per_thousand").map_or(1000, |(_, value, _)| value.number() as u32);
    Ok(Some(TracesTo { endpoint: endpoint.text(), per_thousand }))
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Flags};
    use super::*;

    fn resolve(flags: &[(&str, &str)]) -> Result<Option<TracesTo>, String> {
        let config = Config::resolve(&Flags::of(flags), |_| None, None);
        config.map(|config| config.traces).map_err(|why| why.to_string())
    }

    #[test]
    fn traces_are_off_unless_there_is_a_collector() {
        assert_eq!(resolve(&[]), Ok(None));
        assert_eq!(resolve(&[("otlp-per-thousand", "10")]), Ok(None));
    }

    #[test]
    fn a_collector_is_taken_if_traces_are_built_in_and_refused_if_not() {
        let endpoint = "http://127.0.0.1:4317";
        let resolved = resolve(&[("otlp-endpoint", endpoint), ("otlp-per-thousand", "10")]);
        if Traces::BUILT_IN {
            assert_eq!(resolved, Ok(Some(TracesTo { endpoint: endpoint.to_owned(), per_thousand: 10 })));
        } else {
            let said = "--otlp-endpoint: telemetry.otlp_endpoint: this server is built without traces; \
                        `cargo build --features otlp` has them";
            assert_eq!(resolved, Err(said.to_owned()));
        }
    }

    #[test]
    fn a_collector_has_an_address_of_plain_http() {
        for wrong in ["127.0.0.1:4317", "https://collector:4317", "http://", "http://a b"] {
            let said = resolve(&[("otlp-endpoint", wrong)]).unwrap_err();
            assert!(said.contains("Address, as in http://127.0.0.1:4317"), "{said}");
        }
    }
}
