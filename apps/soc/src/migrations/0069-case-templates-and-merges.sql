-- Up Migration
CREATE TABLE case_templates (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  title_prefix text NOT NULL,
  description text NOT NULL,
  severity case_severity,
  tags text[] NOT NULL,
  tasks jsonb NOT NULL,
  -- Null: the targets of the severity.
  sla jsonb,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX case_templates_created_at_idx ON case_templates (created_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON case_templates TO soc_app;

-- The chain with the entries from before a merge. A chain is never rewritten.
ALTER TABLE case_evidence ADD COLUMN registered_in uuid;
-- A merge moves items to another case and changes nothing else.
GRANT UPDATE (case_id, registered_in) ON case_evidence TO soc_app;
GRANT UPDATE (case_id) ON case_item_versions TO soc_app;
