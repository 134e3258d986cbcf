-- Up Migration
-- Lowest first, so that the type sorts by severity.
CREATE TYPE case_severity AS ENUM ('info', 'low', 'medium', 'high', 'critical');

CREATE TABLE cases (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  severity case_severity NOT NULL,
  status text NOT NULL CHECK (status IN
    ('open', 'investigating', 'pending_approval', 'contained', 'resolved', 'closed')),
  assignee text,
  requires_human_approval boolean NOT NULL,
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  due_at timestamptz(3),
  closed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  search tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', title || ' ' || description)) STORED,
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
);
-- Lists. Each order ends with the id, so that a keyset page starts at one row; an index is read in both directions.
-- Without a filter: by created_at, by updated_at; by severity see below.
CREATE INDEX cases_created_at_idx ON cases (created_at, id);
CREATE INDEX cases_updated_at_idx ON cases (updated_at, id);
-- ?severity= by created_at and by severity, and the order by severity without a filter; ?severity= by updated_at.
CREATE INDEX cases_severity_created_at_idx ON cases (severity, created_at, id);
CREATE INDEX cases_severity_updated_at_idx ON cases (severity, updated_at, id);
-- ?status= by created_at, updated_at, severity (and ?status=&severity=).
CREATE INDEX cases_status_created_at_idx ON cases (status, created_at, id);
CREATE INDEX cases_status_updated_at_idx ON cases (status, updated_at, id);
CREATE INDEX cases_status_severity_idx ON cases (status, severity, created_at, id);
-- ?assignee=: one person has few enough cases to sort by any other order.
CREATE INDEX cases_assignee_idx ON cases (assignee, created_at, id) WHERE assignee IS NOT NULL;
-- ?q=
CREATE INDEX cases_search_idx ON cases USING gin (search);

-- The records of a case are deleted with it. The cascade runs as the owner of the tables, so the service
-- needs no right to delete or edit a single entry.
CREATE TABLE case_timeline (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
  agent text NOT NULL,
  action text NOT NULL,
  timestamp timestamptz(3) NOT NULL
);
CREATE INDEX case_timeline_case_id_idx ON case_timeline (case_id, id);

CREATE TABLE case_observables (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
  type text NOT NULL,
  value text NOT NULL,
  source text,
  tags text[] NOT NULL,
  context jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX case_observables_case_id_idx ON case_observables (case_id, id);

CREATE TABLE case_evidence (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
  name text NOT NULL,
  evidence_type text NOT NULL,
  storage_url text,
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  location text,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX case_evidence_case_id_idx ON case_evidence (case_id, id);

CREATE TABLE case_custody (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  evidence_id uuid NOT NULL REFERENCES case_evidence ON DELETE CASCADE,
  actor text NOT NULL,
  action text NOT NULL,
  location text,
  notes text,
  timestamp timestamptz(3) NOT NULL
);
CREATE INDEX case_custody_evidence_id_idx ON case_custody (evidence_id, id);

CREATE TABLE case_comments (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
  author text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX case_comments_case_id_idx ON case_comments (case_id, id);

CREATE TABLE case_tasks (
  id uuid PRIMARY KEY,
  case_id uuid NOT NULL REFERENCES cases ON DELETE CASCADE,
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('todo', 'in_progress', 'blocked', 'done')),
  assignee text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX case_tasks_case_id_idx ON case_tasks (case_id, id);

GRANT SELECT, INSERT, UPDATE, DELETE ON cases TO soc_app;
GRANT SELECT, INSERT, UPDATE ON case_tasks TO soc_app;
GRANT SELECT, INSERT ON case_timeline, case_observables, case_evidence, case_custody, case_comments TO soc_app;

DO $$
BEGIN
  IF to_regclass('alerts') IS NOT NULL THEN
    ALTER TABLE alerts ADD CONSTRAINT alerts_case_id_fkey
      FOREIGN KEY (case_id) REFERENCES cases ON DELETE SET NULL;
    CREATE INDEX IF NOT EXISTS alerts_case_id_idx ON alerts (case_id);
  END IF;
END
$$;
