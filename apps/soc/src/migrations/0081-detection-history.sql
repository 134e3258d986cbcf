-- Up Migration
-- Time that a rule did not evaluate, or not completely. Accounted time without a row was evaluated.
CREATE TABLE detection_gaps (
  -- No reference: a rule can be deleted; the row stays until its retention ends.
  rule_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN ('skipped', 'capped', 'silent')),
  window_from timestamptz(3) NOT NULL,
  window_to timestamptz(3) NOT NULL,
  PRIMARY KEY (rule_id, reason, window_from),
  CHECK (window_from < window_to)
) WITH (fillfactor = 70);
CREATE INDEX detection_gaps_window_to_rule_id_idx ON detection_gaps (window_to, rule_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON detection_gaps TO soc_app;

-- All gaps since then are known. Workers of the previous release store none; they are replaced within the
-- hour.
ALTER TABLE detection_stream ADD COLUMN history_from timestamptz(3) NOT NULL
  DEFAULT date_trunc('hour', now(), 'UTC') + interval '1 hour';
