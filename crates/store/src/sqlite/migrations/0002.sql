-- What spectators may see late, and who aborted.
--
-- Beside this script, `matches.abort_reason` may be `organiser` from this version on, and `log.cause` 8, the same.

-- How many events late a match is shown to who has no seat in it; NULL for not at all.
ALTER TABLE matches ADD COLUMN spectator_delay INTEGER;
