-- Up Migration
-- A query for logs that rules ignore until it expires: one rule, the rules with a tag, or all rules.
CREATE TABLE detection_exceptions (
  id uuid PRIMARY KEY,
  scope text NOT NULL CHECK (scope IN ('rule', 'tag', 'all')),
  -- No reference: a rule can be deleted and created again with its id.
  rule_id uuid,
  tag text CHECK (length(tag) BETWEEN 1 AND 100),
  query text NOT NULL CHECK (length(query) BETWEEN 1 AND 16000),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 5000),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL CHECK (expires_at >= created_at),
  CHECK ((scope = 'rule') = (rule_id IS NOT NULL)),
  CHECK ((scope = 'tag') = (tag IS NOT NULL))
);
CREATE INDEX detection_exceptions_created_at_idx ON detection_exceptions (created_at, id);
CREATE INDEX detection_exceptions_expires_at_idx ON detection_exceptions (expires_at);
GRANT SELECT, INSERT, UPDATE ON detection_exceptions TO soc_app;

-- How many logs an exception has hidden. One row per rule, because rules run concurrently and must not wait
-- for each other.
CREATE TABLE detection_exception_counts (
  exception_id uuid NOT NULL REFERENCES detection_exceptions,
  rule_id uuid NOT NULL,
  hidden bigint NOT NULL,
  last_hidden_at timestamptz(3) NOT NULL,
  PRIMARY KEY (exception_id, rule_id)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON detection_exception_counts TO soc_app;

-- A match that an exception hides has no alert. Null, or 0, in rows of a process of the previous release.
ALTER TABLE detection_matches ADD COLUMN exception_id uuid;
ALTER TABLE detection_counts ADD COLUMN excepted integer NOT NULL DEFAULT 0;
ALTER TABLE detection_runs ADD COLUMN excepted_count integer DEFAULT 0;
