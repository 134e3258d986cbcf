-- Up Migration
-- Until when the time of a rule on the stream is accounted for as capped.
ALTER TABLE detection_coverage ADD COLUMN capped_until timestamptz(3);

-- A run over a window that failed or that a changed rule missed. It does not count for the rule's interval.
-- Null means false for rows of a process of the previous release.
ALTER TABLE detection_runs ADD COLUMN is_backfill boolean DEFAULT false;

-- A rule can be deleted. Its history stays until its own retention ends, and alerts and audit entries still
-- name the rule.
ALTER TABLE detection_rule_versions DROP CONSTRAINT detection_rule_versions_rule_id_fkey;
ALTER TABLE detection_runs DROP CONSTRAINT detection_runs_rule_id_fkey;
ALTER TABLE detection_suppressions DROP CONSTRAINT detection_suppressions_rule_id_fkey;
ALTER TABLE detection_matches DROP CONSTRAINT detection_matches_rule_id_fkey;
ALTER TABLE detection_counts DROP CONSTRAINT detection_counts_rule_id_fkey;
ALTER TABLE detection_feedback DROP CONSTRAINT detection_feedback_rule_id_fkey;
GRANT DELETE ON detection_rules TO soc_app;

-- A suppression can be shortened and ended.
ALTER TABLE detection_suppressions
  DROP CONSTRAINT detection_suppressions_check,
  ADD CHECK (expires_at <= created_at + suppress_for_hours * interval '1 hour');
CREATE INDEX detection_suppressions_created_at_idx ON detection_suppressions (created_at, id);
GRANT UPDATE ON detection_suppressions TO soc_app;
