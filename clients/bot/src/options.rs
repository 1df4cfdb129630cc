use std::path::Path;
use std::{fmt, fs};

use crate::error::Error;

/// How to connect to a service: who calls, and over which TLS.
///
/// ```
/// use chickenfoot_bot::{Client, ConnectOptions};
///
/// # async fn example() -> Result<(), chickenfoot_bot::Error> {
/// let options = ConnectOptions::new().token("0123456789abcdef").ca_file("ca.pem")?;
/// let client = Client::connect_with("https://chickenfoot.example:7440", &options)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct ConnectOptions {
    pub(crate) token: Option<String>,
    pub(crate) ca: Option<Vec<u8>>,
    pub(crate) identity: Option<(Vec<u8>, Vec<u8>)>,
    pub(crate) server_name: Option<String>,
}

impl ConnectOptions {
    /// No token; over TLS the services that the system trusts.
    pub fn new() -> ConnectOptions {
        ConnectOptions::default()
    }

    /// With the caller's token.
    #[must_use]
    pub fn token(self, token: &str) -> ConnectOptions {
        ConnectOptions { token: Some(token.to_owned()), ..self }
    }

    /// Trusts services with a certificate of this authority, in PEM, and no others.
    #[must_use]
    pub fn ca_pem(self, ca: impl Into<Vec<u8>>) -> ConnectOptions {
        ConnectOptions { ca: Some(ca.into()), ..self }
    }

    /// As [`ConnectOptions::ca_pem`], from a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn ca_file(self, file: impl AsRef<Path>) -> Result<ConnectOptions, Error> {
        let ca = read(file.as_ref())?;
        Ok(self.ca_pem(ca))
    }

    /// Shows the service this certificate, of which it has the private key; both in PEM.
    #[must_use]
    pub fn client_certificate_pem(
        self,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> ConnectOptions {
        ConnectOptions { identity: Some((certificate.into(), key.into())), ..self }
    }

    /// As [`ConnectOptions::client_certificate_pem`], from files.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn client_certificate_files(
        self,
        certificate: impl AsRef<Path>,
        key: impl AsRef<Path>,
    ) -> Result<ConnectOptions, Error> {
        let (certificate, key) = (read(certificate.as_ref())?, read(key.as_ref())?);
        Ok(self.client_certificate_pem(certificate, key))
    }

    /// Expects this name in the service's certificate, not that of the address.
    #[must_use]
    pub fn server_name(self, name: &str) -> ConnectOptions {
        ConnectOptions { server_name: Some(name.to_owned()), ..self }
    }

    /// Whether any of it makes sense over TLS only.
    pub(crate) fn wants_tls(&self) -> bool {
        self.ca.is_some() || self.identity.is_some() || self.server_name.is_some()
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    fs::read(file).map_err(|why| Error::Tls(format!("{} cannot be read: {why}", file.display())))
}

/// Secrets are not shown.
impl fmt::Debug for ConnectOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectOptions")
            .field("token", &self.token.is_some())
            .field("ca", &self.ca.is_some())
            .field("identity", &self.identity.is_some())
            .field("server_name", &self.server_name)
            .finish()
    }
}
