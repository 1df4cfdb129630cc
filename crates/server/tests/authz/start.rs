use std::fs;
use std::process::{Command, Stdio};

use chickenfoot_protocol::v1;
use chickenfoot_server::authz::Registration;
use chickenfoot_server::{AccessError, AccessFrom, AdminToken, Config, Flags};
use clap::Parser;

use crate::service::{ADMIN, Service, reason, within};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
}

fn resolve(arguments: &[&str], env: impl Fn(&str) -> Option<String>) -> Result<Config, String> {
    let cli = Cli::try_parse_from([&["chickenfoot-server"], arguments].concat());
    let flags = cli.map_err(|why| why.to_string())?.flags;
    Config::resolve(&flags, env, None).map_err(|why| why.to_string())
}

fn parse(arguments: &[&str]) -> Result<Config, String> {
    resolve(arguments, |_| None)
}

#[tokio::test]
async fn the_configured_admin_is_there_from_the_start() {
    let service = Service::start(Registration::Closed).await;
    let admin = within(service.client(None).agent("admin")).await.unwrap();
    assert_eq!(admin.role(), v1::Role::Admin);
    let token = within(service.admin().register("alice")).await.unwrap();
    assert_eq!(reason(within(service.client(Some(&token)).register("bob")).await), "REGISTRATION_CLOSED");
    assert_eq!(reason(within(service.client(None).register("bob")).await), "REGISTRATION_CLOSED");
}

#[test]
fn the_admins_token_comes_from_the_file_else_from_the_environment() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("token");
    fs::write(&file, format!("{ADMIN}\n")).unwrap();
    let other = "f".repeat(40);
    let env = |name: &str| (name == "CHICKENFOOT_ADMIN_TOKEN").then(|| other.clone());
    let empty = |name: &str| (name == "CHICKENFOOT_ADMIN_TOKEN").then(String::new);
    let from_file = ["--admin-token-file", file.to_str().unwrap()];
    let token = |text| Some(AdminToken::new(text).unwrap());
    let read = |config: Result<Config, String>| config.unwrap().access.read().unwrap().admin_token;
    assert_eq!(read(resolve(&from_file, env)), token(ADMIN));
    assert_eq!(read(resolve(&[], env)), token(&other));
    assert_eq!(read(parse(&[])), None);
    assert_eq!(read(resolve(&[], empty)), None);
    let missing = AccessFrom { admin_token_file: Some(directory.path().join("no")), ..AccessFrom::default() };
    assert!(matches!(missing.read(), Err(AccessError::Unreadable { .. })));
    assert!(parse(&["--admin-token", &other]).is_err(), "a secret is no flag");
}

#[test]
fn a_weak_admins_token_is_refused_and_no_token_is_ever_shown() {
    assert!(matches!(AdminToken::new(&"x".repeat(31)), Err(AccessError::Short)));
    assert!(matches!(AdminToken::new(&"x y ".repeat(10)), Err(AccessError::Characters)));
    assert!(!format!("{:?}", AdminToken::new(ADMIN).unwrap()).contains(&ADMIN[..8]));
}

#[test]
fn the_server_does_not_start_with_a_weak_admins_token() {
    let weak = "weak-and-short";
    let server = Command::new(env!("CARGO_BIN_EXE_chickenfoot-server"))
        .args(["--listen", "127.0.0.1:0"])
        .env("CHICKENFOOT_ADMIN_TOKEN", weak)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(server.status.code(), Some(2));
    let said = String::from_utf8(server.stderr).unwrap();
    assert!(said.contains("at least 32 characters"), "{said}");
    assert!(!said.contains(weak), "{said}");
}

#[test]
fn the_command_line_says_who_registers_and_takes_tls_whole() {
    assert_eq!(parse(&[]).unwrap().access.registration, Registration::Open);
    assert_eq!(parse(&[]).unwrap().tls, None);
    assert_eq!(parse(&["--registration", "closed"]).unwrap().access.registration, Registration::Closed);
    assert!(parse(&["--registration", "perhaps"]).is_err());
    let whole = parse(&["--tls-cert", "c.pem", "--tls-key", "k.pem", "--tls-client-ca", "ca.pem"]).unwrap();
    assert_eq!(whole.tls.unwrap().client_ca, Some("ca.pem".into()));
    assert!(parse(&["--tls-cert", "c.pem"]).is_err());
    assert!(parse(&["--tls-key", "k.pem"]).is_err());
    assert!(parse(&["--tls-client-ca", "ca.pem"]).is_err());
}
