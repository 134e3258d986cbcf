-- Up Migration
CREATE TABLE approvals (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('playbook', 'step', 'request')),
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'timeout')),
  playbook_id text,
  playbook_version integer,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 500),
  justification text NOT NULL CHECK (length(justification) <= 20000),
  case_id uuid,
  alert_id uuid,
  parameters jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object'),
  effect jsonb NOT NULL CHECK (jsonb_typeof(effect) = 'array'),
  effect_hash text NOT NULL CHECK (effect_hash ~ '^[0-9a-f]{64}$'),
  -- Names instead of references, because requests and decisions stay when their author leaves.
  requested_by text NOT NULL,
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  decided_by text,
  decided_at timestamptz(3),
  reason text CHECK (length(reason) <= 5000),
  -- For a playbook: the execution that used it, once. For a step: the execution that waits for it.
  execution_id uuid,
  -- The policy at the time of the request.
  four_eyes boolean NOT NULL,
  quorum integer NOT NULL CHECK (quorum BETWEEN 1 AND 10),
  CHECK ((kind = 'playbook') <= (playbook_id IS NOT NULL AND playbook_version IS NOT NULL)),
  CHECK ((kind = 'step') <= (execution_id IS NOT NULL)),
  CHECK ((status IN ('approved', 'rejected')) = (decided_by IS NOT NULL)),
  CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
  CHECK (expires_at > requested_at)
);
CREATE INDEX approvals_status_idx ON approvals (status, requested_at, id);
CREATE INDEX approvals_expires_at_idx ON approvals (expires_at) WHERE status = 'pending';
CREATE INDEX approvals_execution_id_idx ON approvals (execution_id);
CREATE INDEX approvals_request_idx ON approvals (requested_by, effect_hash, expires_at);
-- Two concurrent identical requests get one approval.
CREATE UNIQUE INDEX approvals_pending_idx ON approvals (requested_by, effect_hash)
  WHERE status = 'pending' AND kind <> 'step';

CREATE TABLE approval_votes (
  approval_id uuid NOT NULL REFERENCES approvals,
  decided_by text NOT NULL,
  approved boolean NOT NULL,
  reason text CHECK (length(reason) <= 5000),
  decided_at timestamptz(3) NOT NULL,
  -- A quorum counts people, not votes.
  PRIMARY KEY (approval_id, decided_by)
);

-- Reminders about an undecided approval: each is sent once, by any worker.
CREATE TABLE approval_reminders (
  approval_id uuid NOT NULL REFERENCES approvals,
  stage text NOT NULL CHECK (stage IN ('first', 'second', 'escalation')),
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (approval_id, stage)
);

GRANT SELECT, INSERT, UPDATE ON approvals TO soc_app;
GRANT SELECT, INSERT ON approval_votes, approval_reminders TO soc_app;
