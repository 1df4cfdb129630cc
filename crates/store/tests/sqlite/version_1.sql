-- A store of version 1 of the schema, as the shell's .dump wrote it. Never changed.
PRAGMA application_id = 1131103860;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE agents (
    name       TEXT PRIMARY KEY NOT NULL,
    -- SHA-256 of the token; NULL once it was revoked.
    token_hash BLOB UNIQUE,
    -- agent, organiser or admin
    role       TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO agents VALUES('ann',X'0101010101010101010101010101010101010101010101010101010101010101','agent',5,-967911772871086675);
INSERT INTO agents VALUES('bob',X'0202020202020202020202020202020202020202020202020202020202020202','agent',5,3686431801492004386);
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
INSERT INTO matches VALUES(X'00000000000000000000000000000001',1,'ann',1700000000000,'max_pip=9;players=2;hand_size=21;opening_arms=2;starter=lot;drawn_tile=must_play;reserve=2;double_blank=0;rounds=10',1500001,60000000,30000002,3,2,0,'automatic',X'0101010101010101010101010101010101010101010101010101010101010101',0,'deal 1','[{"reserved_for":"house:greedy","occupant":"house:greedy","entropy":"0000000000000000000000000000000000000000000000000000000000000000","total":120,"place":2,"ledger":{"late":3,"gone":1,"illegal":5,"strikes":6,"out":"strikes","think_us":61250000,"bank_used_us":59999999}},{"reserved_for":"house:greedy","occupant":"house:greedy","entropy":"0000000000000000000000000000000000000000000000000000000000000000","total":7,"place":1,"ledger":{"late":0,"gone":0,"illegal":0,"strikes":0,"think_us":500000,"bank_used_us":0}}]','finished',NULL,1,10,412,X'0909090909090909090909090909090909090909090909090909090909090909',1795998638942,21,-4294967317,1000,X'010100000000010200000001e9070300000002d10f0100000083b91796010200000004a11f030000000589270100000006f12e0200000087d936de020300000000c13e0100000001a9460200000002914e0300000083f955a6040100000004e15d0200000005c9650300000006b16d01000000879975ee050200000000817d0300000001e984010100000002d18c010200000083b99401b6070300000004a19c01',7448341810489738901);
INSERT INTO matches VALUES(X'00000000000000000000000000000002',2,'ann',1700000000000,'max_pip=9;players=2;hand_size=21;opening_arms=2;starter=lot;drawn_tile=must_play;reserve=2;double_blank=0;rounds=10',1500001,60000000,30000002,3,2,0,'automatic',X'0202020202020202020202020202020202020202020202020202020202020202',0,'deal 2','[{"reserved_for":"house:greedy","occupant":"house:greedy","entropy":"0000000000000000000000000000000000000000000000000000000000000000"},{"reserved_for":"house:greedy","occupant":"house:greedy","entropy":"0000000000000000000000000000000000000000000000000000000000000000"}]','running',NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,938062495097653829);
INSERT INTO matches VALUES(X'00000000000000000000000000000003',3,'ann',1700000000000,'max_pip=9;players=2;hand_size=21;opening_arms=2;starter=lot;drawn_tile=must_play;reserve=2;double_blank=0;rounds=10',1500001,60000000,30000002,3,2,0,'automatic',X'0303030303030303030303030303030303030303030303030303030303030303',0,'deal 3','[{"reserved_for":null,"occupant":null,"entropy":"0000000000000000000000000000000000000000000000000000000000000000"},{"reserved_for":"bob","occupant":null,"entropy":"0000000000000000000000000000000000000000000000000000000000000000"}]','open',NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,3422556342570779322);
INSERT INTO matches VALUES(X'00000000000000000000000000000004',4,'ann',1700000000000,'max_pip=9;players=2;hand_size=21;opening_arms=2;starter=lot;drawn_tile=must_play;reserve=2;double_blank=0;rounds=10',1500001,60000000,30000002,3,2,0,'automatic',X'0404040404040404040404040404040404040404040404040404040404040404',0,'deal 4','[{"reserved_for":"house:greedy","occupant":"house:greedy","entropy":"0000000000000000000000000000000000000000000000000000000000000000","total":120,"place":2,"ledger":{"late":3,"gone":1,"illegal":5,"strikes":6,"out":"strikes","think_us":61250000,"bank_used_us":59999999}},{"reserved_for":"house:greedy","occupant":"house:greedy","entropy":"0000000000000000000000000000000000000000000000000000000000000000","total":7,"place":1,"ledger":{"late":0,"gone":0,"illegal":0,"strikes":0,"think_us":500000,"bank_used_us":0}}]','finished',NULL,0,10,412,X'0909090909090909090909090909090909090909090909090909090909090909',1795998638959,NULL,NULL,NULL,NULL,-5331571969643912680);
INSERT INTO matches VALUES(X'00000000000000000000000000000005',5,'ann',1700000000000,'max_pip=9;players=2;hand_size=21;opening_arms=2;starter=lot;drawn_tile=must_play;reserve=2;double_blank=0;rounds=10',1500001,60000000,30000002,3,2,0,'automatic',X'0505050505050505050505050505050505050505050505050505050505050505',0,'deal 5','[{"reserved_for":null,"occupant":null,"entropy":"0000000000000000000000000000000000000000000000000000000000000000"},{"reserved_for":"bob","occupant":null,"entropy":"0000000000000000000000000000000000000000000000000000000000000000"}]','aborted','expired',1,NULL,NULL,NULL,1795998638967,NULL,NULL,NULL,NULL,2387713182651190518);
CREATE TABLE match_agents (
    agent    TEXT NOT NULL,
    match_id BLOB NOT NULL,
    PRIMARY KEY (agent, match_id)
) STRICT, WITHOUT ROWID;
INSERT INTO match_agents VALUES('bob',X'00000000000000000000000000000003');
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
INSERT INTO log VALUES(X'00000000000000000000000000000002',0,-8589934593,1000,X'01000000',0,2,0,-4321540275278543530);
INSERT INTO log VALUES(X'00000000000000000000000000000002',1,-8589934594,1000,X'02000000',1,1002,0,7774033511892353267);
INSERT INTO log VALUES(X'00000000000000000000000000000002',2,-8589934595,1000,X'03000000',2,2002,0,1466068737218959335);
INSERT INTO log VALUES(X'00000000000000000000000000000002',3,-8589934596,1000,X'01000000',3,3002,150,6137507845641966559);
INSERT INTO log VALUES(X'00000000000000000000000000000002',4,-8589934597,1000,X'02000000',4,4002,0,1393518733289307064);
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
INSERT INTO requests VALUES('ann','CreateMatch',X'0101010101010101010101010101010101010101010101010101010101010101',X'0202020202020202020202020202020202020202020202020202020202020202',X'0101010101',10,1009025069468936545);
CREATE TABLE servers (
    incarnation INTEGER PRIMARY KEY NOT NULL,
    started_ms  INTEGER NOT NULL,
    pid         INTEGER NOT NULL,
    checksum    INTEGER NOT NULL
) STRICT;
INSERT INTO servers VALUES(1,1795998638924,25065,-3545963016622265979);
CREATE TABLE totals (
    kind TEXT PRIMARY KEY NOT NULL,
    rows INTEGER NOT NULL,
    sum  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO totals VALUES('agents',2,2718520028620917711);
INSERT INTO totals VALUES('live',2,4360618837668433151);
INSERT INTO totals VALUES('log',5,-5997155520945508921);
INSERT INTO totals VALUES('over',3,4504483023497016739);
INSERT INTO totals VALUES('requests',1,1009025069468936545);
INSERT INTO totals VALUES('servers',1,-3545963016622265979);
CREATE INDEX matches_by_time ON matches (created_ms, id);
CREATE INDEX matches_by_state ON matches (state, created_ms, id);
CREATE INDEX requests_by_time ON requests (at_ms);
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
COMMIT;
