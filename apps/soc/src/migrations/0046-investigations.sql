-- Up Migration
-- An investigation: its requester, its permissions and its result.
CREATE TABLE investigations (
  investigation_id uuid PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  trigger text NOT NULL CHECK (trigger IN ('request', 'alert')),
  -- The event that started an automatic one: the same event starts no second one.
  event_id text UNIQUE,
  alert_id uuid,
  alert_context jsonb NOT NULL CHECK (octet_length(alert_context::text) <= 262144),
  severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
  has_cps_assets boolean NOT NULL,
  requested_by text NOT NULL,
  -- The caller at the time of the request: a later change of the role does not affect this investigation.
  caller jsonb NOT NULL CHECK (octet_length(caller::text) <= 8192),
  verdict text CHECK (verdict IN ('malicious', 'benign', 'inconclusive')),
  confidence double precision CHECK (confidence BETWEEN 0 AND 1),
  summary text CHECK (octet_length(summary) <= 32768),
  findings jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(findings::text) <= 1048576),
  mitre_techniques jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(mitre_techniques::text) <= 32768),
  recommended_actions jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(recommended_actions::text) <= 65536),
  agents jsonb NOT NULL DEFAULT '[]' CHECK (octet_length(agents::text) <= 65536),
  case_id uuid,
  error text CHECK (octet_length(error) <= 8192),
  was_dropped boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- When a worker should take it; null while one has it and after its end.
  due_at timestamptz(3),
  -- A fencing token: counts how often it was dispatched; only the newest owner can write.
  continuation integer NOT NULL DEFAULT 0,
  handed_out_at timestamptz(3),
  owner uuid,
  failures integer NOT NULL DEFAULT 0,
  CHECK ((ended_at IS NULL) = (status IN ('queued', 'running'))),
  CHECK (ended_at IS NULL OR due_at IS NULL)
) WITH (fillfactor = 70);
CREATE INDEX investigations_created_at_idx ON investigations (created_at, investigation_id);
CREATE INDEX investigations_status_idx ON investigations (status, created_at, investigation_id);
CREATE INDEX investigations_verdict_idx ON investigations (verdict, created_at, investigation_id) WHERE verdict IS NOT NULL;
CREATE INDEX investigations_alert_id_idx ON investigations (alert_id, created_at, investigation_id) WHERE alert_id IS NOT NULL;
CREATE INDEX investigations_due_at_idx ON investigations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX investigations_open_idx ON investigations (handed_out_at) WHERE ended_at IS NULL;
CREATE INDEX investigations_dropped_idx ON investigations (ended_at) WHERE was_dropped;

-- The part of one agent in an investigation. A running one occupies one of the agent's instances.
CREATE TABLE agent_runs (
  id uuid PRIMARY KEY,
  investigation_id uuid NOT NULL REFERENCES investigations ON DELETE CASCADE,
  agent_id text NOT NULL REFERENCES agents,
  status text NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  error text CHECK (octet_length(error) <= 8192),
  UNIQUE (investigation_id, agent_id)
);
CREATE INDEX agent_runs_started_at_idx ON agent_runs (started_at, agent_id);
CREATE INDEX agent_runs_running_idx ON agent_runs (agent_id) WHERE status = 'running';

-- What an investigation read and did, in order: after a crash it continues from here, and a replay needs
-- nothing else. Stored as text, because a replay compares exactly what was written.
CREATE TABLE investigation_steps (
  investigation_id uuid NOT NULL REFERENCES investigations ON DELETE CASCADE,
  agent_id text NOT NULL,
  sequence integer NOT NULL CHECK (sequence BETWEEN 1 AND 10000),
  kind text NOT NULL CHECK (kind IN ('reader', 'tool', 'model', 'clock', 'seed')),
  name text NOT NULL CHECK (length(name) <= 200),
  arguments text NOT NULL CHECK (octet_length(arguments) <= 262144),
  result text NOT NULL CHECK (octet_length(result) <= 2097152),
  is_cut boolean NOT NULL,
  error_code text CHECK (length(error_code) <= 100),
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (investigation_id, agent_id, sequence)
);
CREATE INDEX investigation_steps_at_idx ON investigation_steps (at);

-- The changes of a step, stored in the transaction of the change: a repeated step finds it and changes
-- nothing.
CREATE TABLE investigation_effects (
  investigation_id uuid NOT NULL REFERENCES investigations ON DELETE CASCADE,
  agent_id text NOT NULL,
  sequence integer NOT NULL,
  result jsonb CHECK (octet_length(result::text) <= 4194304),
  PRIMARY KEY (investigation_id, agent_id, sequence)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON investigations, agent_runs, investigation_steps, investigation_effects TO soc_app;
