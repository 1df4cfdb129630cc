-- Lists of the matches of an agent and of a tournament.

-- The matches in which an agent sits, or sat when they ended: a row for each.
CREATE TABLE match_seats (
    agent      TEXT NOT NULL,
    -- live, finished or aborted
    stage      TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    match_id   BLOB NOT NULL,
    -- That of the match's block.
    tournament BLOB,
    PRIMARY KEY (agent, stage, created_ms, match_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX match_seats_by_tournament ON match_seats (agent, tournament, stage, created_ms, match_id)
WHERE tournament IS NOT NULL;

-- A match that is deleted may be damaged: then only its id tells which rows it had.
CREATE INDEX match_seats_by_match ON match_seats (match_id);

INSERT INTO match_seats
SELECT DISTINCT
    seat.value ->> 'occupant',
    iif(matches.state IN ('open', 'running'), 'live', matches.state),
    matches.created_ms,
    matches.id,
    matches.tournament
-- What is damaged is told where it is read, and stops nobody here.
FROM matches, json_each(iif(json_valid(matches.seats), matches.seats, '[]')) AS seat
-- A player of the house is no agent.
WHERE seat.value ->> 'occupant' IS NOT NULL AND instr(seat.value ->> 'occupant', ':') = 0;

CREATE INDEX matches_by_tournament ON matches (tournament, state, created_ms, id) WHERE tournament IS NOT NULL;
