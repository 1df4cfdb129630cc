use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs, io};

use clap::Args;
use tonic::transport::{Certificate, Identity, ServerTlsConfig};

/// How long a client may take to shake hands.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Who the service is, and whose clients it takes; all as PEM.
#[derive(Clone)]
pub struct Tls {
    cert: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<Vec<u8>>,
}

impl Tls {
    /// A service with this certificate, the ones that vouch for it behind it, and its private key.
    pub fn new(cert: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Tls {
        Tls { cert: cert.into(), key: key.into(), client_ca: None }
    }

    /// Takes only clients that have a certificate of this authority. They need their tokens all the same.
    #[must_use]
    pub fn client_ca(self, ca: impl Into<Vec<u8>>) -> Tls {
        Tls { client_ca: Some(ca.into()), ..self }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("client_ca", &self.client_ca.is_some()).finish_non_exhaustive()
    }
}

impl From<Tls> for ServerTlsConfig {
    fn from(tls: Tls) -> ServerTlsConfig {
        let identity = Identity::from_pem(tls.cert, tls.key);
        let config = ServerTlsConfig::new().identity(identity).timeout(HANDSHAKE);
        match tls.client_ca {
            Some(ca) => config.client_ca_root(Certificate::from_pem(ca)),
            None => config,
        }
    }
}

/// [`Tls`] as a command line has it.
#[derive(Clone, Debug, Default, Args)]
pub struct TlsArgs {
    /// Serve over TLS with this certificate, in PEM, the ones that vouch for it behind it.
    #[arg(long, env = "CHICKENFOOT_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM.
    #[arg(long, env = "CHICKENFOOT_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Take only clients that have a certificate of this authority, in PEM.
    #[arg(long, env = "CHICKENFOOT_TLS_CLIENT_CA", value_name = "FILE", requires = "tls_cert")]
    pub tls_client_ca: Option<PathBuf>,
}

impl TlsArgs {
    /// What the command line means; `None` without TLS.
    ///
    /// # Errors
    /// A file cannot be read, or one is named without the others that it needs.
    pub fn read(&self) -> Result<Option<Tls>, TlsError> {
        let (cert, key) = match (&self.tls_cert, &self.tls_key, &self.tls_client_ca) {
            (None, None, None) => return Ok(None),
            (Some(cert), Some(key), _) => (cert, key),
            (None, _, _) | (_, None, _) => return Err(TlsError::Incomplete),
        };
        let tls = Tls::new(read(cert)?, read(key)?);
        Ok(Some(match &self.tls_client_ca {
            Some(ca) => tls.client_ca(read(ca)?),
            None => tls,
        }))
    }
}

fn read(file: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(file).map_err(|why| TlsError::Unreadable { file: file.to_owned(), why })
}

/// Why there can be no TLS.
#[derive(Debug)]
pub enum TlsError {
    /// A file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// There is no certificate, or no key for it.
    Incomplete,
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TlsError::Unreadable { file, why } => write!(f, "{} cannot be read: {why}", file.display()),
            TlsError::Incomplete => f.write_str("TLS takes both a certificate and its key"),
        }
    }
}

impl std::error::Error for TlsError {}
