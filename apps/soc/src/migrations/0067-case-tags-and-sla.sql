-- Up Migration
ALTER TABLE cases
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN respond_by timestamptz(3),
  ADD COLUMN resolve_by timestamptz(3),
  ADD COLUMN responded_at timestamptz(3),
  ADD COLUMN resolved_at timestamptz(3),
  -- The case has its own targets, which another severity does not change.
  ADD COLUMN has_own_sla boolean NOT NULL DEFAULT false,
  -- No references: a case keeps the names of its template and its target after these are deleted.
  ADD COLUMN template_id uuid,
  ADD COLUMN merged_into uuid;

-- The time limits to respond to and resolve a case of a severity; null or no row means no target.
CREATE TABLE case_sla_targets (
  severity case_severity PRIMARY KEY,
  respond_minutes integer CHECK (respond_minutes BETWEEN 1 AND 525600),
  resolve_minutes integer CHECK (resolve_minutes BETWEEN 1 AND 525600)
);
GRANT SELECT, INSERT, UPDATE ON case_sla_targets TO soc_app;
