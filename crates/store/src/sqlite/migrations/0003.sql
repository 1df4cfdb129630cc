-- Tournaments, and what a match has to do with one.

CREATE TABLE tournaments (
    -- 16 bytes, big-endian
    id         BLOB NOT NULL UNIQUE,
    creator    TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms   INTEGER,
    -- A title for people.
    name       TEXT NOT NULL,
    -- Format, rules, clocks and limits: a JSON object.
    settings   TEXT NOT NULL,
    -- A secret until the tournament is over.
    seed       BLOB NOT NULL,
    fixed_seed INTEGER NOT NULL,
    -- open, running, paused, finished or cancelled
    state      TEXT NOT NULL,
    -- Whether the field is settled and numbered.
    begun      INTEGER NOT NULL,
    -- Why it rests or ended, for people.
    message    TEXT NOT NULL,
    -- Entrants; and once it is over blocks, matches, attempts, faults and stage: a JSON object.
    tally      TEXT NOT NULL,
    version    INTEGER NOT NULL,
    checksum   INTEGER NOT NULL
) STRICT;

CREATE INDEX tournaments_by_time ON tournaments (created_ms, id);
CREATE INDEX tournaments_by_state ON tournaments (state, created_ms, id);

CREATE TABLE entrants (
    tournament  BLOB NOT NULL,
    -- From 0 in the order of entry.
    number      INTEGER NOT NULL,
    name        TEXT NOT NULL,
    -- An agent, or house:STRATEGY.
    who         TEXT NOT NULL,
    -- 32 bytes, zero for nothing
    entropy     BLOB NOT NULL,
    joined_ms   INTEGER NOT NULL,
    -- invited, checking, rejected, entered or withdrawn
    state       TEXT NOT NULL,
    -- The match against itself that it has to play or has played.
    check_match BLOB,
    -- Its position in the schedule.
    position    INTEGER,
    -- The first stage that it is scheduled in, and the first one that it is not scheduled in any more.
    from_stage  INTEGER NOT NULL,
    until_stage INTEGER,
    checksum    INTEGER NOT NULL,
    PRIMARY KEY (tournament, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entrants_by_name ON entrants (tournament, name);

-- The blocks that are over.
CREATE TABLE blocks (
    tournament BLOB NOT NULL,
    -- From 0.
    number     INTEGER NOT NULL,
    ended_ms   INTEGER NOT NULL,
    -- A JSON object: stage, table, attempt, deal_id, absent (numbers of entrants) and matches, in the order of the
    -- seatings. Each of these has id, digest and, by seat, seating (numbers of entrants), points, places, clean_rounds,
    -- lowest_round and ledger.
    outcome    TEXT NOT NULL,
    checksum   INTEGER NOT NULL,
    PRIMARY KEY (tournament, number)
) STRICT;

-- Of a match that belongs to a block: its tournament, the number of the block, the position in the block, who contributes
-- to the deals (a JSON array of objects with name and entropy), and 1 as long as the block goes on, then 0.
ALTER TABLE matches ADD COLUMN tournament BLOB;
ALTER TABLE matches ADD COLUMN block INTEGER;
ALTER TABLE matches ADD COLUMN game INTEGER;
ALTER TABLE matches ADD COLUMN contributors TEXT;
ALTER TABLE matches ADD COLUMN sealed INTEGER;
-- 1 if it counts for the ratings, else NULL.
ALTER TABLE matches ADD COLUMN rated INTEGER;

CREATE INDEX matches_sealed ON matches (tournament, id) WHERE sealed = 1;
CREATE INDEX matches_rated ON matches (ended_ms, id) WHERE rated = 1 AND state = 'finished';

INSERT INTO totals VALUES
    ('live_tournaments', 0, 0), ('over_tournaments', 0, 0), ('entrants', 0, 0), ('blocks', 0, 0);

-- For people with the sqlite3 shell. The service reads none of these views.

DROP VIEW finished_matches;
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
    -- Secrets as long as other matches have the same deal.
    iif(sealed = 1, NULL, lower(hex(seed))) AS seed,
    iif(sealed = 1, NULL, deal_id) AS deal_id,
    lower(hex(digest)) AS digest,
    lower(hex(tournament)) AS tournament,
    block,
    game,
    coalesce(rated, 0) AS rated
FROM matches
WHERE state = 'finished';

DROP VIEW results;
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
    (seat.value ->> '$.ledger.think_us') / 1e6 AS think_seconds,
    lower(hex(matches.tournament)) AS tournament,
    matches.block AS block
FROM matches, json_each(matches.seats) AS seat
WHERE matches.state = 'finished';

DROP VIEW current_matches;
CREATE VIEW current_matches AS
SELECT
    lower(hex(id)) AS match,
    creator,
    datetime(created_ms / 1000, 'unixepoch') AS created,
    rules,
    state,
    (SELECT group_concat(coalesce(value ->> 'occupant', '(free)'), ', ') FROM json_each(seats)) AS seats,
    (SELECT count(*) FROM log WHERE log.match_id = matches.id) AS entries,
    lower(hex(tournament)) AS tournament,
    block,
    game
FROM matches
WHERE state IN ('open', 'running');

CREATE VIEW tournament_list AS
SELECT
    lower(hex(id)) AS tournament,
    name,
    creator,
    state,
    datetime(created_ms / 1000, 'unixepoch') AS created,
    datetime(started_ms / 1000, 'unixepoch') AS started,
    datetime(ended_ms / 1000, 'unixepoch') AS ended,
    (SELECT count(*) FROM entrants WHERE entrants.tournament = tournaments.id) AS entrants,
    (SELECT count(*) FROM blocks WHERE blocks.tournament = tournaments.id) AS blocks,
    message,
    settings
FROM tournaments;

CREATE VIEW tournament_entrants AS
SELECT
    lower(hex(tournament)) AS tournament,
    number,
    name,
    who,
    state,
    datetime(joined_ms / 1000, 'unixepoch') AS joined,
    lower(hex(check_match)) AS check_match,
    from_stage,
    until_stage
FROM entrants;

CREATE VIEW tournament_blocks AS
SELECT
    lower(hex(tournament)) AS tournament,
    number AS block,
    outcome ->> 'stage' AS stage,
    outcome ->> 'table' AS "table",
    outcome ->> 'attempt' AS attempt,
    datetime(ended_ms / 1000, 'unixepoch') AS ended,
    json_array_length(outcome, '$.matches') AS matches,
    (
        SELECT group_concat(
            (SELECT name FROM entrants WHERE entrants.tournament = blocks.tournament AND number = absent.value), ', '
        )
        FROM json_each(outcome, '$.absent') AS absent
    ) AS absent,
    outcome ->> 'deal_id' AS deal_id
FROM blocks;

-- A row for each seat of each match of a block that is over.
CREATE VIEW block_results AS
SELECT
    lower(hex(blocks.tournament)) AS tournament,
    blocks.number AS block,
    CAST(game.key AS INTEGER) AS game,
    game.value ->> 'id' AS match,
    CAST(seat.key AS INTEGER) AS seat,
    entrants.name AS name,
    game.value ->> ('$.points[' || seat.key || ']') AS score,
    game.value ->> ('$.places[' || seat.key || ']') AS place,
    game.value ->> ('$.clean_rounds[' || seat.key || ']') AS clean_rounds,
    game.value ->> ('$.ledger[' || seat.key || '].strikes') AS strikes
FROM blocks, json_each(blocks.outcome, '$.matches') AS game, json_each(game.value, '$.seating') AS seat
LEFT JOIN entrants ON entrants.tournament = blocks.tournament AND entrants.number = seat.value;
