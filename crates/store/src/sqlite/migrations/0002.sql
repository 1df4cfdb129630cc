-- What spectators may see late.

-- How many events late a match is shown to who has no seat in it; NULL for not at all.
ALTER TABLE matches ADD COLUMN spectator_delay INTEGER;
