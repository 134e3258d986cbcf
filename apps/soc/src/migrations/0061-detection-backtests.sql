-- Up Migration
-- A rule evaluated on past logs, slice by slice, by any worker.
CREATE TABLE detection_backtests (
  id uuid PRIMARY KEY,
  -- Null for a rule that is not stored.
  rule_id uuid,
  -- The rule at the time of the backtest request.
  rule jsonb NOT NULL,
  requested_by text NOT NULL,
  -- The role whose visible rules determine the verdicts that count.
  role text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'done', 'cancelled', 'failed')),
  window_from timestamptz(3) NOT NULL,
  window_to timestamptz(3) NOT NULL CHECK (window_to > window_from),
  -- All slices before this time are finished.
  position timestamptz(3) NOT NULL,
  scanned bigint NOT NULL,
  -- Matches that were counted but not stored.
  more bigint NOT NULL,
  excepted bigint NOT NULL,
  is_capped boolean NOT NULL,
  took_ms bigint NOT NULL,
  -- The histogram, the groups and the verdicts after the end.
  result jsonb,
  error text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- The worker that evaluates a slice, until when, and how often the slice has failed.
  worker text,
  leased_until timestamptz(3) NOT NULL,
  failures integer NOT NULL,
  notified_at timestamptz(3) NOT NULL,
  CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL))
);
CREATE INDEX detection_backtests_created_at_idx ON detection_backtests (created_at, id);
CREATE INDEX detection_backtests_unfinished_idx ON detection_backtests (leased_until) WHERE finished_at IS NULL;
CREATE INDEX detection_backtests_finished_at_idx ON detection_backtests (finished_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON detection_backtests TO soc_app;

-- The matched logs of a backtest until its end: a log found in two slices counts once.
CREATE TABLE detection_backtest_logs (
  backtest_id uuid NOT NULL REFERENCES detection_backtests ON DELETE CASCADE,
  log_id text NOT NULL,
  ingested_at timestamptz(3) NOT NULL,
  host text NOT NULL,
  "user" text NOT NULL,
  PRIMARY KEY (backtest_id, log_id)
);
GRANT SELECT, INSERT, DELETE ON detection_backtest_logs TO soc_app;
