-- Up Migration
-- Earlier versions of observables, comments and tasks of a case. Never edited.
CREATE TABLE case_item_versions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
  item_type text NOT NULL CHECK (item_type IN ('observable', 'comment', 'task')),
  item_id uuid NOT NULL,
  change text NOT NULL CHECK (change IN ('edited', 'removed')),
  item jsonb NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz(3) NOT NULL
);
CREATE INDEX case_item_versions_case_id_idx ON case_item_versions (case_id, id);
CREATE INDEX case_item_versions_item_id_idx ON case_item_versions (item_id, id);
GRANT SELECT, INSERT ON case_item_versions TO soc_app;

ALTER TABLE case_observables ADD COLUMN edited_at timestamptz(3);
-- Null sorts last.
ALTER TABLE case_tasks ADD COLUMN position integer CHECK (position >= 0);
