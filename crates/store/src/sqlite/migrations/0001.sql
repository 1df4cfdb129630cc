-- The first schema. Times are milliseconds since 1970 unless a name says otherwise.
--
-- Every `checksum` is the first 8 bytes of SHA-256 over the row's other columns (checksum.rs); `totals` holds the number
-- of rows and the sum of their checksums for each kind of row, so that rows of different moments are never taken for
-- one state.

CREATE TABLE agents (
    name       TEXT PRIMARY KEY NOT NULL,
    -- SHA-256 of the token; NULL once it was revoked.
    token_hash BLOB UNIQUE,
    -- agent, organiser or admin
    role       TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
    -- 16 bytes, big-endian
    id               BLOB NOT NULL UNIQUE,
    slot             INTEGER NOT NULL,
    creator          TEXT NOT NULL,
    created_ms       INTEGER NOT NULL,
    rules            TEXT NOT NULL,
    -- Microseconds for a decision, beyond that in the whole match, and for which a seat's clock may stand.
    decision_us      INTEGER NOT NULL,
    bank_us          INTEGER NOT NULL,
    grace_us         INTEGER NOT NULL,
    -- Strikes that a seat may have, illegal answers to one decision that make a strike, and whether the first fault takes
    -- a seat out.
    max_strikes      INTEGER NOT NULL,
    strike_illegal   INTEGER NOT NULL,
    strict           INTEGER NOT NULL,
    -- automatic or asked
    forced           TEXT NOT NULL,
    -- A secret until the match is over.
    seed             BLOB NOT NULL,
    fixed_seed       INTEGER NOT NULL,
    deal_id          TEXT NOT NULL,
    -- A JSON array with an object for each seat: reserved_for (an agent, house:STRATEGY, or null for anyone), occupant
    -- (the same, or null), entropy (64 hexadecimal digits) and, once a match that had begun is over, total, place (unless
    -- it was aborted) and ledger: an object of late, gone, illegal, strikes, out (left, strikes or strict; absent if it is
    -- not out), think_us and bank_used_us.
    seats            TEXT NOT NULL,
    -- open, running, finished or aborted
    state            TEXT NOT NULL,
    -- creator, server_fault or expired
    abort_reason     TEXT,
    version          INTEGER NOT NULL,
    -- From here to `digest` only of a match that is over and had begun.
    round            INTEGER,
    head_seq         INTEGER,
    digest           BLOB,
    -- Only of a match that is over: when that was stored.
    ended_ms         INTEGER,
    -- From here to `log` only of a match that ended with an entry of its log: not of one that never began, nor of one that
    -- left nobody a choice. The number of entries, the id of the last one and the incarnation that wrote it:
    entries          INTEGER,
    last_entry       INTEGER,
    last_writer      INTEGER,
    -- The packed log (packed.rs).
    log              BLOB,
    checksum         INTEGER NOT NULL
) STRICT;

CREATE INDEX matches_by_time ON matches (created_ms, id);
CREATE INDEX matches_by_state ON matches (state, created_ms, id);

-- The matches that are not over, by the agents that they concern.
CREATE TABLE match_agents (
    agent    TEXT NOT NULL,
    match_id BLOB NOT NULL,
    PRIMARY KEY (agent, match_id)
) STRICT, WITHOUT ROWID;

-- The logs of the matches that are running.
CREATE TABLE log (
    match_id BLOB NOT NULL,
    position INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    writer   INTEGER NOT NULL,
    -- 4 bytes
    entry    BLOB NOT NULL,
    -- 0 agent, 1 house, 2 late, 3 gone, 4 strikes, 5 strict, 6 creator, 7 server fault
    cause    INTEGER NOT NULL,
    think_us INTEGER NOT NULL,
    illegal  INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
    caller       TEXT NOT NULL,
    method       TEXT NOT NULL,
    id_hash      BLOB NOT NULL,
    request_hash BLOB NOT NULL,
    answer       BLOB NOT NULL,
    at_ms        INTEGER NOT NULL,
    checksum     INTEGER NOT NULL,
    PRIMARY KEY (caller, method, id_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_time ON requests (at_ms);

-- Every run of a server on this file.
CREATE TABLE servers (
    incarnation INTEGER PRIMARY KEY NOT NULL,
    started_ms  INTEGER NOT NULL,
    pid         INTEGER NOT NULL,
    checksum    INTEGER NOT NULL
) STRICT;

CREATE TABLE totals (
    kind TEXT PRIMARY KEY NOT NULL,
    rows INTEGER NOT NULL,
    sum  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO totals VALUES
    ('agents', 0, 0), ('live', 0, 0), ('over', 0, 0), ('log', 0, 0), ('requests', 0, 0), ('servers', 0, 0);

-- For people with the sqlite3 shell. The service reads none of these views.

CREATE VIEW finished_matches AS
SELECT
    lower(hex(id)) AS match,
    creator,
    datetime(created_ms / 1000, 'unixepoch') AS created,
    datetime(ended_ms / 1000, 'unixepoch') AS ended,
    rules,
    round AS rounds,
    coalesce(entries, 0) AS entries,
    head_seq AS events,
    lower(hex(seed)) AS seed,
    deal_id,
    lower(hex(digest)) AS digest
FROM matches
WHERE state = 'finished';

CREATE VIEW results AS
SELECT
    lower(hex(matches.id)) AS match,
    CAST(seat.key AS INTEGER) AS seat,
    seat.value ->> 'occupant' AS name,
    seat.value ->> 'total' AS score,
    seat.value ->> 'place' AS place,
    seat.value ->> '$.ledger.late' AS late,
    seat.value ->> '$.ledger.gone' AS gone,
    seat.value ->> '$.ledger.illegal' AS illegal,
    seat.value ->> '$.ledger.strikes' AS strikes,
    seat.value ->> '$.ledger.out' AS out,
    (seat.value ->> '$.ledger.think_us') / 1e6 AS think_seconds
FROM matches, json_each(matches.seats) AS seat
WHERE matches.state = 'finished';

CREATE VIEW current_matches AS
SELECT
    lower(hex(id)) AS match,
    creator,
    datetime(created_ms / 1000, 'unixepoch') AS created,
    rules,
    state,
    (SELECT group_concat(coalesce(value ->> 'occupant', '(free)'), ', ') FROM json_each(seats)) AS seats,
    (SELECT count(*) FROM log WHERE log.match_id = matches.id) AS entries
FROM matches
WHERE state IN ('open', 'running');
