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
  -- Which release of ours it was last taken from; 0 for one that people wrote.
  release integer NOT NULL CHECK (release >= 0),
  is_edited boolean NOT NULL,
  updated_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Every version of a playbook, the current one as well, as the API answers it.
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
  -- The steps as they were when it began: a later version changes nothing about it.
  steps jsonb NOT NULL,
  status text NOT NULL CHECK (status IN
    ('queued', 'running', 'waiting', 'completed', 'failed', 'compensated', 'rejected', 'timeout', 'cancelled')),
  -- Began in dry_run: what would have left the platform was only written down.
  simulated boolean NOT NULL,
  alert_id uuid,
  case_id uuid,
  parameters jsonb NOT NULL,
  -- The one that let it begin.
  approval_id uuid,
  requested_by text NOT NULL,
  steps_completed integer NOT NULL DEFAULT 0,
  steps_total integer NOT NULL,
  error text,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  -- When somebody is to go on with it; null while somebody does, and when it is over.
  due_at timestamptz(3),
  -- Counts how often it was handed out. Whoever works on it works on one continuation.
  continuation integer NOT NULL DEFAULT 0,
  handed_out_at timestamptz(3),
  -- Who works on it now. Whoever was there before cannot write any more.
  owner uuid,
  -- How often in a row the work on it broke off.
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

-- The truth about an execution. What stands here as completed is never done again.
CREATE TABLE execution_steps (
  execution_id uuid NOT NULL REFERENCES executions ON DELETE CASCADE,
  step_id text NOT NULL,
  -- The step itself, or what takes it back.
  part text NOT NULL CHECK (part IN ('step', 'compensation')),
  iteration integer NOT NULL DEFAULT 1,
  position integer NOT NULL,
  action text NOT NULL,
  status text NOT NULL CHECK (status IN
    ('running', 'waiting', 'retrying', 'completed', 'skipped', 'failed', 'rejected', 'timeout')),
  -- `execution:step:iteration`: the same however often it is begun.
  key text NOT NULL UNIQUE,
  attempt integer NOT NULL DEFAULT 1,
  -- How often it was begun: one that ends its process each time must end as well.
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
