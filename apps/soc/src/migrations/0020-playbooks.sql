-- Up Migration
CREATE TABLE playbooks (
  id text PRIMARY KEY CHECK (id ~ '^[a-z][a-z0-9-]{0,79}$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  description text NOT NULL CHECK (length(description) <= 5000),
  critical boolean NOT NULL,
  enabled boolean NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  trigger text NOT NULL CHECK (length(trigger) <= 500),
  approval jsonb,
  steps jsonb NOT NULL CHECK (jsonb_array_length(steps) BETWEEN 1 AND 50),
  -- The built-in release that it was last copied from; 0 for a user's playbook.
  release integer NOT NULL CHECK (release >= 0),
  is_edited boolean NOT NULL,
  updated_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Every version of a playbook including the current one, as the API returns it.
CREATE TABLE playbook_versions (
  id uuid PRIMARY KEY,
  playbook_id text NOT NULL REFERENCES playbooks,
  version integer NOT NULL,
  playbook jsonb NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  UNIQUE (playbook_id, version)
);
CREATE INDEX playbook_versions_changed_at_idx ON playbook_versions (playbook_id, changed_at, id);

CREATE TABLE executions (
  execution_id uuid PRIMARY KEY,
  playbook_id text NOT NULL REFERENCES playbooks,
  playbook_name text NOT NULL,
  playbook_version integer NOT NULL,
  -- The steps at the start: a later version does not change them.
  steps jsonb NOT NULL,
  status text NOT NULL CHECK (status IN
    ('queued', 'running', 'waiting', 'completed', 'failed', 'compensated', 'rejected', 'timeout', 'cancelled')),
  -- Started in dry_run: outbound requests were only recorded.
  simulated boolean NOT NULL,
  alert_id uuid,
  case_id uuid,
  parameters jsonb NOT NULL,
  -- The approval that started it.
  approval_id uuid,
  requested_by text NOT NULL,
  steps_completed integer NOT NULL DEFAULT 0,
  steps_total integer NOT NULL,
  error text,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  -- When a worker should continue it; null while a worker runs it and after its end.
  due_at timestamptz(3),
  -- Counts how often it was dispatched. Its worker works on one continuation.
  continuation integer NOT NULL DEFAULT 0,
  handed_out_at timestamptz(3),
  -- The current worker. Previous workers can no longer write.
  owner uuid,
  -- The number of consecutive failures.
  failures integer NOT NULL DEFAULT 0,
  cancelled_by text,
  CHECK ((finished_at IS NULL) = (status IN ('queued', 'running', 'waiting'))),
  CHECK (finished_at IS NULL OR due_at IS NULL)
) WITH (fillfactor = 70);
CREATE INDEX executions_created_at_idx ON executions (created_at, execution_id);
CREATE INDEX executions_playbook_id_idx ON executions (playbook_id, created_at, execution_id);
CREATE INDEX executions_alert_id_idx ON executions (alert_id) WHERE alert_id IS NOT NULL;
CREATE INDEX executions_case_id_idx ON executions (case_id) WHERE case_id IS NOT NULL;
CREATE INDEX executions_status_idx ON executions (status, created_at, execution_id);
CREATE INDEX executions_due_at_idx ON executions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX executions_handed_out_at_idx ON executions (handed_out_at) WHERE finished_at IS NULL AND due_at IS NULL;
CREATE INDEX executions_finished_at_idx ON executions (finished_at) WHERE finished_at IS NOT NULL;

-- The authoritative state of an execution. A completed step is never repeated.
CREATE TABLE execution_steps (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  step_id text NOT NULL,
  -- The step itself or its compensation.
  part text NOT NULL CHECK (part IN ('step', 'compensation')),
  iteration integer NOT NULL DEFAULT 1,
  position integer NOT NULL,
  action text NOT NULL,
  status text NOT NULL CHECK (status IN
    ('running', 'waiting', 'retrying', 'completed', 'skipped', 'failed', 'rejected', 'timeout')),
  -- `execution:step:iteration`: the same however often it is started.
  key text NOT NULL UNIQUE,
  attempt integer NOT NULL DEFAULT 1,
  -- The number of starts: a step that crashes its process each time must end as well.
  begun integer NOT NULL DEFAULT 1,
  approval_id uuid,
  result jsonb,
  error text,
  started_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (execution_id, step_id, part, iteration)
) WITH (fillfactor = 80);

GRANT SELECT, INSERT, UPDATE ON playbooks TO soc_app;
GRANT SELECT, INSERT ON playbook_versions TO soc_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON executions, execution_steps TO soc_app;
