-- Up Migration
CREATE TABLE detection_rules (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  description text NOT NULL CHECK (length(description) <= 20000),
  enabled boolean NOT NULL,
  type text NOT NULL CHECK (type IN ('query', 'threshold', 'new_terms', 'sequence')),
  query text NOT NULL CHECK (length(query) <= 4096),
  -- What a type needs in addition to the query.
  threshold jsonb,
  source text,
  host text,
  match_severity text CHECK (match_severity IN ('critical', 'high', 'medium', 'low', 'info')),
  alert_severity text NOT NULL CHECK (alert_severity IN ('critical', 'high', 'medium', 'low', 'info')),
  alert_title_template text NOT NULL CHECK (length(alert_title_template) BETWEEN 1 AND 500),
  alert_description_template text NOT NULL CHECK (length(alert_description_template) <= 20000),
  auto_create_case boolean NOT NULL,
  schedule_enabled boolean NOT NULL,
  schedule_interval_minutes integer NOT NULL CHECK (schedule_interval_minutes BETWEEN 1 AND 10080),
  mitre_techniques text[] NOT NULL,
  sharing_mode text NOT NULL CHECK (sharing_mode IN ('private', 'team', 'roles')),
  shared_with_roles text[] NOT NULL,
  tags text[] NOT NULL,
  -- Author and licence of an imported rule.
  sigma jsonb,
  -- The rule as imported: the base. The overlay names later changes by people, which stay when a newer base
  -- is imported.
  sigma_yaml text,
  overlay text[] NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  -- A name instead of a reference, because a rule stays when its author leaves.
  created_by text NOT NULL,
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((type = 'query') = (threshold IS NULL)),
  CHECK ((sigma IS NULL) = (sigma_yaml IS NULL)),
  CHECK ((sharing_mode = 'roles') = (cardinality(shared_with_roles) > 0)),
  -- Only single-event rules can be evaluated per log on arrival.
  CHECK (type = 'query' OR schedule_enabled OR NOT enabled)
);
CREATE INDEX detection_rules_created_at_idx ON detection_rules (created_at, id);
CREATE INDEX detection_rules_updated_at_idx ON detection_rules (updated_at);
CREATE UNIQUE INDEX detection_rules_sigma_id_idx ON detection_rules ((sigma ->> 'id')) WHERE sigma ->> 'id' <> '';

-- Every version of a rule including the current one, as the API returns it.
CREATE TABLE detection_rule_versions (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL REFERENCES detection_rules,
  version integer NOT NULL,
  rule jsonb NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  UNIQUE (rule_id, version)
);
CREATE INDEX detection_rule_versions_changed_at_idx ON detection_rule_versions (rule_id, changed_at, id);

-- What evaluates a rule automatically: the schedule, the stream, or nothing, but never both.
CREATE VIEW detection_owners AS SELECT id AS rule_id, version,
  CASE WHEN NOT enabled THEN 'none' WHEN schedule_enabled THEN 'schedule' ELSE 'stream' END AS owner,
  schedule_interval_minutes AS interval_minutes, type = 'query' AS is_single_event, coalesce(source, '') AS source,
  updated_at AS changed_at
FROM detection_rules;

CREATE TABLE detection_runs (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL REFERENCES detection_rules,
  rule_version integer NOT NULL,
  trigger_mode text NOT NULL CHECK (trigger_mode IN ('manual', 'scheduled')),
  status text NOT NULL CHECK (status IN ('completed', 'capped', 'failed')),
  -- Ingest time, half-open: from is included, to is not.
  window_from timestamptz(3) NOT NULL,
  window_to timestamptz(3) NOT NULL,
  started_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3) NOT NULL,
  match_count integer NOT NULL CHECK (match_count >= 0),
  suppressed_count integer NOT NULL CHECK (suppressed_count >= 0),
  -- The matches that no earlier run had found.
  new_match_count integer NOT NULL CHECK (new_match_count >= 0),
  alert_ids uuid[] NOT NULL,
  sample_log_ids text[] NOT NULL CHECK (cardinality(sample_log_ids) <= 10),
  error text,
  CHECK ((status = 'failed') = (error IS NOT NULL)),
  CHECK (window_from < window_to)
);
CREATE INDEX detection_runs_rule_id_idx ON detection_runs (rule_id, started_at, id);
CREATE INDEX detection_runs_started_at_idx ON detection_runs (started_at);

CREATE TABLE detection_suppressions (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL REFERENCES detection_rules,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  reason text NOT NULL CHECK (length(reason) <= 5000),
  criteria jsonb NOT NULL CHECK (jsonb_typeof(criteria) = 'object' AND criteria <> '{}'),
  suppress_for_hours integer NOT NULL CHECK (suppress_for_hours BETWEEN 1 AND 8760),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL CHECK (expires_at = created_at + suppress_for_hours * interval '1 hour')
);
CREATE INDEX detection_suppressions_rule_id_idx ON detection_suppressions (rule_id, created_at, id);
CREATE INDEX detection_suppressions_expires_at_idx ON detection_suppressions (rule_id, expires_at);

-- A rule matches a log once, however it was found: the transaction that stores the row raises or counts the
-- alert, and all others find it there.
CREATE TABLE detection_matches (
  id uuid NOT NULL,
  rule_id uuid NOT NULL REFERENCES detection_rules,
  log_id text NOT NULL,
  rule_version integer NOT NULL,
  log_ingested_at timestamptz(3) NOT NULL,
  matched_at timestamptz(3) NOT NULL,
  -- Null for matches of the stream.
  run_id uuid,
  -- Null if it was suppressed.
  alert_id uuid,
  suppression_id uuid REFERENCES detection_suppressions,
  PRIMARY KEY (rule_id, log_id)
);
CREATE INDEX detection_matches_matched_at_idx ON detection_matches (rule_id, matched_at, id);
CREATE INDEX detection_matches_recent_idx ON detection_matches (matched_at);
CREATE INDEX detection_matches_suppression_id_idx ON detection_matches (rule_id, matched_at, id)
  WHERE suppression_id IS NOT NULL;

-- Sums for metrics, which must not count millions of runs each time. Written with the runs.
CREATE TABLE detection_counts (
  rule_id uuid NOT NULL REFERENCES detection_rules,
  hour timestamptz NOT NULL,
  runs integer NOT NULL DEFAULT 0,
  matches integer NOT NULL DEFAULT 0,
  suppressed integer NOT NULL DEFAULT 0,
  PRIMARY KEY (rule_id, hour)
) WITH (fillfactor = 70);
CREATE INDEX detection_counts_hour_idx ON detection_counts (hour);

CREATE TABLE detection_feedback (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL REFERENCES detection_rules,
  verdict text NOT NULL CHECK (verdict IN ('true_positive', 'false_positive', 'needs_tuning')),
  alert_id uuid,
  case_id uuid,
  siem_log_id text,
  notes text NOT NULL CHECK (length(notes) <= 5000),
  metadata jsonb NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX detection_feedback_rule_id_idx ON detection_feedback (rule_id, created_at, id);
CREATE INDEX detection_feedback_created_at_idx ON detection_feedback (created_at) WHERE verdict = 'false_positive';

-- The most recently imported public ATT&CK data.
CREATE TABLE attack_data (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  matrices jsonb NOT NULL,
  imported_by text NOT NULL,
  imported_at timestamptz(3) NOT NULL
);

GRANT SELECT ON detection_owners TO soc_app;
GRANT SELECT, INSERT, UPDATE ON detection_rules, attack_data TO soc_app;
GRANT SELECT, INSERT ON detection_rule_versions, detection_suppressions, detection_feedback TO soc_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON detection_runs, detection_matches, detection_counts TO soc_app;
