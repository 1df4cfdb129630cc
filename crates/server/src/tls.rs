use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs, io};

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

/// [`Tls`] as the configuration has it: files, in PEM, that are not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, the ones that vouch for it behind it.
    pub cert: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authority whose clients are taken, if not all are.
    pub client_ca: Option<PathBuf>,
}

impl TlsFiles {
    /// What the files say.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(&self) -> Result<Tls, TlsError> {
        let tls = Tls::new(read(&self.cert)?, read(&self.key)?);
        Ok(match &self.client_ca {
            Some(ca) => tls.client_ca(read(ca)?),
            None => tls,
        })
    }
}

fn read(file: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(file).map_err(|why| TlsError { file: file.to_owned(), why })
}

/// A file without which there can be no TLS cannot be read.
#[derive(Debug)]
pub struct TlsError {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub why: io::Error,
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be read: {}", self.file.display(), self.why)
    }
}

impl std::error::Error for TlsError {}
