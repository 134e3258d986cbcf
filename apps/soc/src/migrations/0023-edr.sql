-- Up Migration
-- Each heartbeat updates its row: free space keeps the update in the page, and no index contains the changing
-- columns.
CREATE TABLE edr_endpoints (
  id uuid PRIMARY KEY,
  hostname text NOT NULL CHECK (length(hostname) BETWEEN 1 AND 255),
  ip text,
  os text,
  site text,
  agent_version text,
  risk integer NOT NULL CHECK (risk BETWEEN 0 AND 100),
  -- The state that people want, and the state that the endpoint or its adapter reports. They are never mixed.
  desired text NOT NULL CHECK (desired IN ('normal', 'isolated')),
  reported text NOT NULL CHECK (reported IN ('unknown', 'normal', 'isolated')),
  last_seen timestamptz(3) NOT NULL,
  registered_at timestamptz(3) NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX edr_endpoints_registered_at_idx ON edr_endpoints (registered_at, id);
CREATE INDEX edr_endpoints_hostname_idx ON edr_endpoints (lower(hostname));

CREATE TABLE edr_actions (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES edr_endpoints,
  action text NOT NULL CHECK (action IN ('isolate', 'unisolate', 'scan')),
  status text NOT NULL CHECK (status IN ('completed', 'dispatched', 'recorded', 'blocked')),
  adapter text,
  -- Makes a repeat the same action, here and at the adapter.
  key text NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 300),
  simulated boolean NOT NULL,
  reason text,
  -- No reference: an action stays when the case is deleted.
  case_id uuid,
  requested_by text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL,
  next_attempt_at timestamptz(3),
  settled_at timestamptz(3),
  error text,
  -- When an isolation ends automatically, when it ended, and by which action.
  release_at timestamptz(3),
  ended_at timestamptz(3),
  ended_by uuid REFERENCES edr_actions,
  CHECK ((status = 'dispatched') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'dispatched') = (settled_at IS NULL)),
  CHECK (action = 'isolate' OR (release_at IS NULL AND ended_at IS NULL))
);
CREATE INDEX edr_actions_endpoint_id_idx ON edr_actions (endpoint_id, requested_at, id);
CREATE INDEX edr_actions_requested_at_idx ON edr_actions (requested_at, id);
CREATE INDEX edr_actions_next_attempt_at_idx ON edr_actions (next_attempt_at) WHERE status = 'dispatched';
CREATE INDEX edr_actions_in_force_idx ON edr_actions (requested_at, id)
  WHERE action = 'isolate' AND ended_at IS NULL AND status <> 'blocked' AND NOT simulated;
CREATE INDEX edr_actions_release_at_idx ON edr_actions (release_at) WHERE release_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX edr_actions_ended_by_idx ON edr_actions (ended_by) WHERE ended_by IS NOT NULL;

-- Shared by all processes: a process that fails to reach the adapter stops the others from trying.
CREATE TABLE edr_circuit (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  failures integer NOT NULL DEFAULT 0,
  opened_at timestamptz(3),
  probe_until timestamptz(3)
);
INSERT INTO edr_circuit DEFAULT VALUES;

GRANT SELECT, INSERT, UPDATE ON edr_endpoints, edr_actions TO soc_app;
GRANT SELECT, UPDATE ON edr_circuit TO soc_app;
