//! Every backend keeps every law.

#![allow(clippy::unwrap_used)]

mod memory {
    use chickenfoot_store::Memory;

    chickenfoot_store::conformance!((Memory::new(), ()));
}

mod sqlite {
    use chickenfoot_store::Sqlite;
    use chickenfoot_store::sqlite::Options;

    chickenfoot_store::conformance!({
        let directory = tempfile::tempdir().unwrap();
        let store = Sqlite::open(directory.path().join("store.sqlite"), &Options::default()).unwrap();
        (store, directory)
    });
}
