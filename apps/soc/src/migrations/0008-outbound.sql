-- Up Migration
-- Outbound requests, requests that dry_run only recorded, and refusals. Contains what was sent, but not its
-- text.
CREATE TABLE outbound_log (
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  mode text NOT NULL CHECK (mode IN ('dummy', 'dry_run', 'real')),
  kind text NOT NULL CHECK (kind IN ('effect', 'question')),
  destination text NOT NULL,
  purpose text NOT NULL,
  method text NOT NULL,
  host text NOT NULL,
  path text NOT NULL,
  body_sha256 text NOT NULL CHECK (body_sha256 ~ '^[0-9a-f]{64}$'),
  body_bytes integer NOT NULL CHECK (body_bytes >= 0),
  outcome text NOT NULL CHECK (outcome IN ('refused', 'recorded', 'intended', 'answered', 'failed')),
  status integer,
  -- The row of the attempt that this row ends. Unique, because an attempt ends once.
  "of" uuid UNIQUE REFERENCES outbound_log,
  CHECK ((status IS NOT NULL) = (outcome = 'answered')),
  CHECK (("of" IS NOT NULL) = (outcome IN ('answered', 'failed')))
);
CREATE INDEX outbound_log_at_idx ON outbound_log (at);

-- Each start of a process and its mode until it ends.
CREATE TABLE mode_log (
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  mode text NOT NULL CHECK (mode IN ('dummy', 'dry_run', 'real'))
);
CREATE INDEX mode_log_at_idx ON mode_log (at);

CREATE TRIGGER outbound_log_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON outbound_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER mode_log_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON mode_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

GRANT SELECT, INSERT ON outbound_log, mode_log TO soc_app;
