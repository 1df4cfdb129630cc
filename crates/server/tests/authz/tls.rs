use chickenfoot_bot::{Client, ConnectOptions, Error, Runner, strategy_bots};
use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::seat_spec::Who;
use chickenfoot_server::{Limits, Server, Tls, TlsFiles};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::service::{Service, within};

/// Signs certificates.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate for this name, and its key.
    fn certificate(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.0).unwrap().pem(), key.serialize_pem())
    }
}

async fn serve(tls: Tls) -> Service {
    Service::run(Server::in_memory(Limits::default()).with_tls(Some(tls))).await
}

async fn register(service: &Service, options: &ConnectOptions) -> Result<String, Error> {
    let client = Client::connect_with(&format!("https://{}", service.address), options)?;
    within(client.register("alice")).await
}

#[track_caller]
fn refused(result: Result<String, Error>) -> String {
    match result {
        Err(Error::Connection(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_client_that_trusts_the_certificate_plays() {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let service = serve(Tls::new(cert.pem(), signing_key.serialize_pem())).await;
    let trusting = ConnectOptions::new().ca_pem(cert.pem());
    let token = register(&service, &trusting).await.unwrap();
    let trusting = trusting.token(&token);
    // Without a scheme the options say that it is TLS.
    let client = Client::connect_with(&service.address, &trusting).unwrap();
    let seat = |who| v1::SeatSpec { who: Some(who) };
    let seats = vec![seat(Who::Agent("alice".to_owned())), seat(Who::House("greedy".to_owned()))];
    let rules = Some(v1::Rules { max_pip: Some(6), rounds: Some(1), ..v1::Rules::default() });
    within(client.create_match(v1::MatchConfig { seats, rules, ..v1::MatchConfig::default() }))
        .await
        .unwrap();
    let runner = Runner::with_options(&service.address, trusting).games(1);
    let bots = strategy_bots("greedy", 1).unwrap();
    assert_eq!(within(runner.run(bots, std::future::pending())).await.unwrap().games, 1);
}

#[tokio::test]
async fn a_client_that_does_not_trust_the_certificate_stays_away() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let (cert, key) = ours.certificate("127.0.0.1");
    let service = serve(Tls::new(cert, key)).await;
    let why = refused(register(&service, &ConnectOptions::new().ca_pem(theirs.pem())).await);
    assert!(why.contains("certificate"), "{why}");
    refused(register(&service, &ConnectOptions::new()).await);
    let why =
        refused(register(&service, &ConnectOptions::new().ca_pem(ours.pem()).server_name("other")).await);
    assert!(why.contains("certificate"), "{why}");
    register(&service, &ConnectOptions::new().ca_pem(ours.pem())).await.unwrap();
}

#[tokio::test]
async fn plain_and_safe_connections_do_not_meet() {
    let authority = Authority::new();
    let (cert, key) = authority.certificate("127.0.0.1");
    let safe = serve(Tls::new(cert, key)).await;
    refused(within(safe.client(None).register("alice")).await);
    let plain = Service::run(Server::in_memory(Limits::default())).await;
    let options = ConnectOptions::new().ca_pem(authority.pem());
    refused(register(&plain, &options).await);
    let downgraded = Client::connect_with(&format!("http://{}", plain.address), &options);
    assert!(matches!(downgraded, Err(Error::Tls(_))));
}

#[tokio::test]
async fn a_server_that_asks_for_certificates_takes_only_those_of_its_authority() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let file = directory.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    };
    let files = |authority: &Authority, name: &str| {
        let (cert, key) = authority.certificate(name);
        (file(&format!("{name}.pem"), cert), file(&format!("{name}.key"), key))
    };
    let ca = file("ca.pem", ours.pem());
    let (cert, key) = files(&ours, "127.0.0.1");
    let files_of_server = TlsFiles { cert, key, client_ca: Some(ca.clone()) };
    let service = serve(files_of_server.read().unwrap()).await;
    let trusting = ConnectOptions::new().ca_file(ca).unwrap();
    refused(register(&service, &trusting).await);
    let (cert, key) = files(&theirs, "mallory");
    refused(register(&service, &trusting.clone().client_certificate_files(cert, key).unwrap()).await);
    let (cert, key) = files(&ours, "alice");
    register(&service, &trusting.client_certificate_files(cert, key).unwrap()).await.unwrap();
}

#[test]
fn files_that_are_missing_are_named() {
    let missing = std::path::PathBuf::from("no-such-file.pem");
    let unreadable = TlsFiles { cert: missing.clone(), key: missing.clone(), client_ca: None }.read();
    assert!(unreadable.unwrap_err().to_string().contains("no-such-file.pem"));
    assert!(
        matches!(ConnectOptions::new().ca_file(&missing), Err(Error::Tls(why)) if why.contains("no-such"))
    );
}

#[tokio::test]
async fn a_certificate_that_is_none_stops_the_server_and_the_client() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let server = Server::in_memory(Limits::default()).with_tls(Some(Tls::new("no", "no")));
    assert!(within(server.run(listener, std::future::pending())).await.is_err());
    let options = ConnectOptions::new().client_certificate_pem("no", "no");
    assert!(matches!(Client::connect_with("https://127.0.0.1:1", &options), Err(Error::Tls(_))));
}
