-- Up Migration
CREATE TABLE automations (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  condition text NOT NULL CHECK (length(condition) BETWEEN 1 AND 4096),
  -- No reference: a deleted playbook is reported when the automation fires.
  playbook_id text NOT NULL,
  parameters jsonb NOT NULL,
  enabled boolean NOT NULL,
  cooldown_minutes integer NOT NULL CHECK (cooldown_minutes BETWEEN 0 AND 10080),
  last_fired_at timestamptz(3),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX automations_created_at_idx ON automations (created_at, id);

-- The outcome of an automation for an alert, once per pair.
CREATE TABLE automation_firings (
  automation_id uuid NOT NULL REFERENCES automations ON DELETE CASCADE,
  alert_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('started', 'pending_approval', 'cooling_down', 'refused')),
  execution_id uuid,
  approval_id uuid,
  reason text,
  PRIMARY KEY (automation_id, alert_id),
  CHECK ((execution_id IS NOT NULL) = (outcome = 'started')),
  CHECK ((approval_id IS NOT NULL) = (outcome = 'pending_approval')),
  CHECK ((reason IS NOT NULL) = (outcome = 'refused'))
);
CREATE INDEX automation_firings_at_idx ON automation_firings (automation_id, at);
CREATE INDEX automation_firings_swept_idx ON automation_firings (at);

GRANT SELECT, INSERT, UPDATE, DELETE ON automations, automation_firings TO soc_app;
