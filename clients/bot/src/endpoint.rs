use std::time::Duration;

use tonic::transport::Endpoint;

use crate::error::Error;
use crate::options::ConnectOptions;

/// Bytes that a connection may have under way; see the server for why it is large.
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// A connection that does not answer a ping for so long is dead.
const KEEPALIVE: Duration = Duration::from_secs(20);

/// The service at an address. One without a scheme is taken for `https://` if there are options for TLS, else for
/// `http://`.
pub(crate) fn endpoint(address: &str, options: &ConnectOptions) -> Result<Endpoint, Error> {
    let scheme = if options.wants_tls() { "https" } else { "http" };
    let full = if address.contains("://") { address.to_owned() } else { format!("{scheme}://{address}") };
    let endpoint = Endpoint::from_shared(full)
        .map_err(|_| Error::Address(address.to_owned()))?
        .connect_timeout(CONNECT)
        .tcp_nodelay(true)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .http2_keep_alive_interval(KEEPALIVE);
    if endpoint.uri().scheme_str() == Some("https") {
        return secure(endpoint, options);
    }
    if options.wants_tls() {
        // Never a plain connection where a safe one was asked for.
        return Err(Error::Tls(format!("{address:?} does not begin with https://")));
    }
    Ok(endpoint)
}

#[cfg(feature = "tls")]
fn secure(endpoint: Endpoint, options: &ConnectOptions) -> Result<Endpoint, Error> {
    use tonic::transport::{Certificate, ClientTlsConfig, Identity};
    let mut tls = match &options.ca {
        Some(ca) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    if let Some((certificate, key)) = &options.identity {
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    if let Some(name) = &options.server_name {
        tls = tls.domain_name(name);
    }
    endpoint.tls_config(tls).map_err(|why| Error::Tls(crate::error::with_causes(&why)))
}

#[cfg(not(feature = "tls"))]
fn secure(_: Endpoint, _: &ConnectOptions) -> Result<Endpoint, Error> {
    Err(Error::Tls("this client was built without TLS".to_owned()))
}
