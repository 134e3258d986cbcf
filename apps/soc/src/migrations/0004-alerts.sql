-- Up Migration
-- Lowest first, so that the type sorts by severity.
CREATE TYPE alert_severity AS ENUM ('info', 'low', 'medium', 'high', 'critical');

CREATE TABLE alerts (
  id uuid PRIMARY KEY,
  -- SHA-256 over title, source and sorted IOCs: two reports of the same finding are one alert, even
  -- concurrently.
  fingerprint text NOT NULL UNIQUE CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  title text NOT NULL,
  description text,
  source text NOT NULL,
  severity alert_severity NOT NULL,
  status text NOT NULL CHECK (status IN
    ('new', 'triaged', 'investigating', 'resolved', 'closed', 'false_positive')),
  iocs text[] NOT NULL,
  occurrence_count integer NOT NULL CHECK (occurrence_count >= 1),
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  first_seen timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  reopened_count integer NOT NULL CHECK (reopened_count >= 0),
  case_id uuid,
  rule_id text,
  log_ids text[] NOT NULL,
  mitre_techniques text[] NOT NULL,
  host text,
  "user" text,
  site text,
  risk_score double precision CHECK (risk_score BETWEEN 0 AND 100),
  assignee text,
  acknowledged_at timestamptz(3),
  acknowledged_by text,
  resolved_at timestamptz(3),
  resolution text,
  verdict text CHECK (verdict IN ('true_positive', 'false_positive', 'needs_tuning')),
  tags text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- For ?q=. Punctuation separates words, so that parts of a host, path or address are found, too. Stored,
  -- because a search for a frequent word reads many titles.
  title_words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple'::regconfig,
    translate(title, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))) STORED,
  CHECK ((status IN ('resolved', 'closed', 'false_positive')) = (resolved_at IS NOT NULL)),
  CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
);

-- Lists. Each order ends with the id, so that a keyset page starts at one row; an index is read in both
-- directions. Without a filter: by created_at, by last_seen; by severity see below.
CREATE INDEX alerts_created_at_idx ON alerts (created_at, id);
CREATE INDEX alerts_last_seen_idx ON alerts (last_seen, id);
-- ?severity= by created_at and by severity, and the order by severity without a filter; ?severity= by last_seen.
CREATE INDEX alerts_severity_created_at_idx ON alerts (severity, created_at, id);
CREATE INDEX alerts_severity_last_seen_idx ON alerts (severity, last_seen, id);
-- ?status= by created_at, last_seen, severity (and ?status=&severity=).
CREATE INDEX alerts_status_created_at_idx ON alerts (status, created_at, id);
CREATE INDEX alerts_status_last_seen_idx ON alerts (status, last_seen, id);
CREATE INDEX alerts_status_severity_idx ON alerts (status, severity, created_at, id);
-- ?source= by created_at, last_seen, severity (and ?source=&severity=).
CREATE INDEX alerts_source_created_at_idx ON alerts (source, created_at, id);
CREATE INDEX alerts_source_last_seen_idx ON alerts (source, last_seen, id);
CREATE INDEX alerts_source_severity_idx ON alerts (source, severity, created_at, id);
-- ?assignee= and ?case_id=: one person or case has few enough alerts to sort by any other order.
CREATE INDEX alerts_assignee_idx ON alerts (assignee, created_at, id) WHERE assignee IS NOT NULL;
CREATE INDEX alerts_case_id_idx ON alerts (case_id, created_at, id) WHERE case_id IS NOT NULL;

-- Several filters at once: a source may never be critical, which only combined statistics show. Without them
-- the planner scans a whole order for such an alert.
CREATE STATISTICS alerts_filters_stats (mcv) ON severity, status, source FROM alerts;

-- ?q=, in any order: rare words use this index, frequent ones the index of the order.
CREATE INDEX alerts_title_words_idx ON alerts USING gin (title_words);

-- Context: alerts that share a host, a user or an IOC. An IOC may exceed the size of an index entry; its key
-- does not.
CREATE FUNCTION alert_ioc_keys(iocs text[]) RETURNS uuid[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN ARRAY(SELECT md5(ioc)::uuid FROM unnest(iocs) AS ioc);
CREATE INDEX alerts_ioc_keys_idx ON alerts USING gin (alert_ioc_keys(iocs));
CREATE INDEX alerts_host_idx ON alerts (host, last_seen) WHERE host IS NOT NULL;
CREATE INDEX alerts_user_idx ON alerts ("user", last_seen) WHERE "user" IS NOT NULL;

-- No DELETE: an alert is closed, never removed.
GRANT SELECT, INSERT, UPDATE ON alerts TO soc_app;
