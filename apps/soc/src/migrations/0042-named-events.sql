-- Up Migration
-- How many named events an insert remembers, so that their number is bounded without counting their rows.
ALTER TABLE log_inserts ADD COLUMN events integer NOT NULL DEFAULT 0;
