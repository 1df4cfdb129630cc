use std::fs;

use chickenfoot_store::StoreError;
use chickenfoot_store::sqlite::check;
use rusqlite::Connection;

use crate::common::{fill, place, refusal, reopen};

#[test]
fn a_database_of_somebody_else_is_refused_and_left_as_it_is() {
    let (_directory, path) = place();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE theirs (x)").unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();
    let StoreError::Unavailable(why) = refusal(&path) else {
        panic!("another error");
    };
    assert!(why.contains("not one of this service"), "{why}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_as_it_is() {
    let (_directory, path) = place();
    let text = "Dear diary, ".repeat(1000);
    fs::write(&path, &text).unwrap();
    assert!(matches!(refusal(&path), StoreError::Corrupt(_)));
    assert!(matches!(check(&path), Err(StoreError::Corrupt(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn a_log_without_its_file_is_refused_and_kept() {
    let (directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let torn = directory.path().join("torn.sqlite");
    fs::write(&torn, "").unwrap();
    let log = torn.with_extension("sqlite-wal");
    fs::copy(path.with_extension("sqlite-wal"), &log).unwrap();
    let before = fs::read(&log).unwrap();
    assert!(matches!(refusal(&torn), StoreError::Corrupt(_)));
    assert_eq!(fs::read(&log).unwrap(), before);
}

#[test]
fn a_place_that_is_not_there_is_named() {
    let (directory, _) = place();
    let path = directory.path().join("nowhere").join("store.sqlite");
    let StoreError::Unavailable(why) = refusal(&path) else {
        panic!("another error");
    };
    assert!(why.contains("nowhere"), "{why}");
    assert!(check(directory.path().join("nothing.sqlite")).is_err());
}

#[test]
fn what_cannot_be_locked_is_named_as_the_database() {
    let (_directory, path) = place();
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    fs::create_dir(lock).unwrap();
    let why = refusal(&path).to_string();
    let named = path.file_name().unwrap().to_str().unwrap();
    assert!(why.contains(&format!("{named}: it cannot be locked")) && !why.contains(".lock"), "{why}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused() {
    let (_directory, path) = place();
    drop(reopen(&path).unwrap());
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    if fs::File::options().write(true).open(&path).is_ok() {
        // The superuser writes whatever it likes; then there is nothing to be refused.
        return;
    }
    assert!(matches!(refusal(&path), StoreError::ReadOnly(_)));
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_the_secrets() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, path) = place();
    let _store = reopen(&path).unwrap();
    for suffix in ["sqlite", "sqlite-wal", "sqlite-shm"] {
        let mode = fs::metadata(path.with_extension(suffix)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{suffix}");
    }
}
