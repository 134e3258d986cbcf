-- Up Migration
CREATE TABLE iocs (
  -- Derived from type and value: the same indicator has the same id everywhere.
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('ipv4', 'ipv6', 'cidr', 'domain', 'url', 'email', 'md5', 'sha1', 'sha256')),
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 2048),
  network cidr GENERATED ALWAYS AS (CASE WHEN type = 'cidr' THEN value::cidr END) STORED,
  confidence integer NOT NULL CHECK (confidence BETWEEN 0 AND 100),
  severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
  source text NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
  tags text[] NOT NULL,
  tlp text NOT NULL CHECK (tlp IN ('clear', 'green', 'amber', 'amber+strict', 'red')),
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  first_seen timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  hits integer NOT NULL DEFAULT 0 CHECK (hits >= 0),
  -- When stored logs were searched for it; null until then.
  searched_at timestamptz(3),
  search_is_capped boolean NOT NULL DEFAULT false,
  -- A worker searches for it until then, unless it crashes.
  search_claimed_until timestamptz,
  search_attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- A process that caches indicators reads all rows whose transaction was not finished at its last read.
  changed_by xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX iocs_last_seen_idx ON iocs (last_seen, id);
CREATE INDEX iocs_value_idx ON iocs USING hash (value);
CREATE INDEX iocs_network_idx ON iocs USING gist (network inet_ops) WHERE type = 'cidr';
CREATE INDEX iocs_tags_idx ON iocs USING gin (tags);
CREATE INDEX iocs_changed_by_idx ON iocs (changed_by, id);
CREATE INDEX iocs_expires_at_idx ON iocs (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX iocs_unsearched_idx ON iocs (created_at) WHERE searched_at IS NULL;

-- Records that an indicator was seen in a log: once, however often the log is read.
CREATE TABLE ioc_hits (
  id uuid NOT NULL,
  ioc_id uuid NOT NULL REFERENCES iocs ON DELETE CASCADE,
  log_id text NOT NULL,
  log_ingested_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (ioc_id, log_id)
);
CREATE INDEX ioc_hits_seen_at_idx ON ioc_hits (ioc_id, seen_at, id);
CREATE INDEX ioc_hits_recent_idx ON ioc_hits (seen_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON iocs, ioc_hits TO soc_app;
