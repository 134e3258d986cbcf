-- Up Migration
ALTER TABLE cases
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN respond_by timestamptz(3),
  ADD COLUMN resolve_by timestamptz(3),
  ADD COLUMN responded_at timestamptz(3),
  ADD COLUMN resolved_at timestamptz(3),
  -- The targets are the case's own, so another severity does not change them.
  ADD COLUMN has_own_sla boolean NOT NULL DEFAULT false,
  -- No references: a case says what it was opened with and where its records went, also when that is gone.
  ADD COLUMN template_id uuid,
  ADD COLUMN merged_into uuid;

-- How soon a case of a severity is to be taken up and resolved; null or no row: no target.
CREATE TABLE case_sla_targets (
  severity case_severity PRIMARY KEY,
  respond_minutes integer CHECK (respond_minutes BETWEEN 1 AND 525600),
  resolve_minutes integer CHECK (resolve_minutes BETWEEN 1 AND 525600)
);
GRANT SELECT, INSERT, UPDATE ON case_sla_targets TO soc_app;
