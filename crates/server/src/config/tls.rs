use std::path::PathBuf;

use super::Resolved;
use super::error::ConfigError;
use crate::tls::TlsFiles;

/// The files of TLS, if there are any.
///
/// # Errors
/// One is named without the others that it needs.
pub(super) fn files(resolved: &Resolved) -> Result<Option<TlsFiles>, ConfigError> {
    let named: Vec<_> = resolved.iter().filter(|(key, ..)| key.section == "tls").collect();
    let path = |name: &str| {
        let (_, value, _) = named.iter().find(|(key, ..)| key.name == name)?;
        Some(PathBuf::from(value.text())).filter(|path| !path.as_os_str().is_empty())
    };
    if let (Some(cert), Some(key)) = (path("cert"), path("key")) {
        return Ok(Some(TlsFiles { cert, key, client_ca: path("client_ca") }));
    }
    let missing = if path("cert").is_none() { "cert" } else { "key" };
    match named.iter().find(|(_, value, _)| !value.text().is_empty()) {
        None => Ok(None),
        Some((key, _, origin)) => {
            let what = format!("{} takes tls.{missing} beside it, and that is not set", key.id());
            Err(ConfigError::new(origin.clone(), what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Flags};
    use super::*;

    fn resolve(flags: &[(&str, &str)], file: &str) -> Result<Option<TlsFiles>, String> {
        let config = Config::resolve(&Flags::of(flags), |_| None, Some(("chickenfoot.toml", file)));
        config.map(|config| config.tls).map_err(|why| why.to_string())
    }

    #[test]
    fn tls_is_whole_or_not_at_all() {
        assert_eq!(resolve(&[], "[tls]\ncert = \"\"\n"), Ok(None));
        let (cert, key) = ("c.pem".into(), "k.pem".into());
        let whole = resolve(&[("tls-key", "k.pem")], "[tls]\ncert = \"c.pem\"\n");
        assert_eq!(whole, Ok(Some(TlsFiles { cert, key, client_ca: None })));
        let said = |flags, file| resolve(flags, file).unwrap_err();
        assert_eq!(
            said(&[("tls-key", "k.pem")], ""),
            "--tls-key: tls.key takes tls.cert beside it, and that is not set"
        );
        assert_eq!(
            said(&[], "[tls]\nclient_ca = \"ca.pem\"\n"),
            "chickenfoot.toml, line 2: tls.client_ca takes tls.cert beside it, and that is not set"
        );
    }
}
