-- What spectators may see late, who aborted, and how long what is over is kept.
--
-- Beside this script, `matches.abort_reason` may be `organiser` from this version on, and `log.cause` 8, the same.

-- How many events late a match is shown to who has no seat in it; NULL for not at all.
ALTER TABLE matches ADD COLUMN spectator_delay INTEGER;

-- For removing what has been over for longest.
CREATE INDEX matches_by_end ON matches (ended_ms) WHERE ended_ms IS NOT NULL;
