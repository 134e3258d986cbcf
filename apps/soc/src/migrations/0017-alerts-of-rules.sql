-- Up Migration
-- Of a rule that raises a few alerts in each of many runs somebody must know how many it were in all.
ALTER TABLE detection_counts ADD COLUMN alerts integer NOT NULL DEFAULT 0;
