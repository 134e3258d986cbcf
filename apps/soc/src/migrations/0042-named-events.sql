-- Up Migration
-- How many named events an insert stores, so that their number is limited without counting rows.
ALTER TABLE log_inserts ADD COLUMN events integer NOT NULL DEFAULT 0;
