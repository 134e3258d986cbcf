-- Up Migration
-- The total number of alerts of a rule, which may raise a few in each of many runs.
ALTER TABLE detection_counts ADD COLUMN alerts integer NOT NULL DEFAULT 0;
