-- Up Migration
-- What evaluates each rule, from when, and how the time before is accounted for.
CREATE TABLE detection_coverage (
  rule_id uuid PRIMARY KEY,
  version integer NOT NULL,
  owner text NOT NULL CHECK (owner IN ('schedule', 'stream', 'none')),
  interval_minutes integer NOT NULL CHECK (interval_minutes >= 1),
  source text NOT NULL,
  accounted_from timestamptz(3) NOT NULL,
  -- Start of the next window. For the stream: the position from which it covers this rule.
  window_from timestamptz(3) NOT NULL,
  next_run_at timestamptz(3),
  ran_s double precision NOT NULL DEFAULT 0,
  skipped_s double precision NOT NULL DEFAULT 0,
  capped_s double precision NOT NULL DEFAULT 0,
  silent_s double precision NOT NULL DEFAULT 0,
  CHECK ((owner = 'schedule') = (next_run_at IS NOT NULL))
) WITH (fillfactor = 50);
CREATE INDEX detection_coverage_next_run_at_idx ON detection_coverage (next_run_at, rule_id)
  WHERE next_run_at IS NOT NULL;

-- Windows taken from the schedule to be run. The row is written together with the advance of the schedule.
CREATE TABLE detection_batches (
  id text PRIMARY KEY,
  window_from timestamptz(3) NOT NULL,
  window_to timestamptz(3) NOT NULL,
  rule_ids uuid[] NOT NULL CHECK (cardinality(rule_ids) BETWEEN 1 AND 50),
  attempt integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  CHECK (window_from < window_to)
) WITH (fillfactor = 80);
CREATE INDEX detection_batches_unfinished_idx ON detection_batches (created_at) WHERE finished_at IS NULL;
CREATE INDEX detection_batches_finished_at_idx ON detection_batches (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE detection_backfills (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  rule_id uuid NOT NULL,
  window_from timestamptz(3) NOT NULL,
  window_to timestamptz(3) NOT NULL,
  reason text NOT NULL CHECK (reason IN ('failed', 'changed')),
  -- What to account for when it is done; null if the time is already accounted for.
  seconds double precision NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (window_from < window_to)
);
CREATE INDEX detection_backfills_rule_id_idx ON detection_backfills (rule_id);
CREATE INDEX detection_backfills_next_attempt_at_idx ON detection_backfills (next_attempt_at);

-- One row. The rules of the stream have evaluated all logs with an earlier ingested_at than the position.
CREATE TABLE detection_stream (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  position timestamptz(3) NOT NULL,
  -- Increases when a rule begins, ends or changes, so that no process continues with outdated rules.
  generation bigint NOT NULL DEFAULT 0,
  leader text NOT NULL DEFAULT '',
  leads_until timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
INSERT INTO detection_stream (position) VALUES (now());

GRANT SELECT, INSERT, UPDATE, DELETE ON detection_coverage, detection_batches, detection_backfills TO soc_app;
GRANT SELECT, UPDATE ON detection_stream TO soc_app;
