-- Up Migration
-- One alert is one finding about one entity: the entities of its events, when they happened, and repeats
-- since the verdict.
ALTER TABLE alerts
  ADD COLUMN entities jsonb NOT NULL DEFAULT '{"hosts": [], "users": [], "addresses": [], "is_complete": true}',
  ADD COLUMN "group" jsonb,
  ADD COLUMN event_first_at timestamptz(3),
  ADD COLUMN event_last_at timestamptz(3),
  ADD COLUMN reopened_at timestamptz(3),
  ADD COLUMN verdict_at timestamptz(3),
  ADD COLUMN suppressed_since_verdict integer NOT NULL DEFAULT 0 CHECK (suppressed_since_verdict >= 0),
  -- The highest reported severity; a person may have set another one since.
  ADD COLUMN reported_severity alert_severity NOT NULL DEFAULT 'info',
  -- host:, user:, rule:, site:, tag: and technique: with the normalised value, for the filters of the list.
  ADD COLUMN filter_keys text[] NOT NULL DEFAULT '{}',
  -- The spellings of hosts and users for the search.
  ADD COLUMN names text NOT NULL DEFAULT '';

-- The same normalised names as foundation/records/entity-name.ts for existing alerts: an address is not
-- shortened.
CREATE FUNCTION pg_temp.unified_host(host text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN host ~ '^[0-9.]+$' OR host LIKE '%:%' THEN lower(trim(host))
    ELSE coalesce(nullif(split_part(lower(trim(host)), '.', 1), ''), lower(trim(host))) END
$$;
CREATE FUNCTION pg_temp.unified_user(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(regexp_replace(lower(trim(name)), '^.*\\(?=.)', ''), '^([^\s@:]+)@[^\s@:]+$', '\1')
$$;

UPDATE alerts SET
  reported_severity = severity,
  verdict_at = CASE WHEN verdict IS NOT NULL OR status = 'false_positive' THEN coalesce(resolved_at, updated_at) END,
  verdict = CASE WHEN status <> 'false_positive' THEN verdict
    WHEN verdict = 'needs_tuning' THEN verdict ELSE 'false_positive' END,
  names = concat_ws(' ', host, "user"),
  entities = jsonb_build_object('addresses', '[]'::jsonb, 'is_complete', true,
    'hosts', CASE WHEN host IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object(
      'name', pg_temp.unified_host(host), 'full_name', host, 'count', occurrence_count)) END,
    'users', CASE WHEN "user" IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object(
      'name', pg_temp.unified_user("user"), 'full_name', "user", 'count', occurrence_count)) END),
  filter_keys = ARRAY(
    SELECT 'host:' || pg_temp.unified_host(host) WHERE host IS NOT NULL
    UNION SELECT 'user:' || pg_temp.unified_user("user") WHERE "user" IS NOT NULL
    UNION SELECT 'rule:' || lower(rule_id) WHERE rule_id IS NOT NULL
    UNION SELECT 'site:' || site WHERE site IS NOT NULL
    UNION SELECT 'tag:' || tag FROM unnest(tags) AS tag
    UNION SELECT 'technique:' || upper(technique) FROM unnest(mitre_techniques) AS technique
    UNION SELECT 'technique:' || upper(split_part(technique, '.', 1)) FROM unnest(mitre_techniques) AS technique);

-- The status false_positive is a verdict.
ALTER TABLE alerts ADD CHECK (status <> 'false_positive' OR
  (verdict IS NOT NULL AND verdict <> 'true_positive' AND verdict_at IS NOT NULL));

CREATE INDEX alerts_filter_keys_idx ON alerts USING gin (filter_keys);
-- They served the context of an alert, which now compares normalised names.
DROP INDEX alerts_host_idx;
DROP INDEX alerts_user_idx;

-- ?q= searches title, hosts and users. Punctuation separates words, so that parts of a host, path or address
-- are found, too.
ALTER TABLE alerts DROP COLUMN title_words;
ALTER TABLE alerts ADD COLUMN words tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple'::regconfig,
  translate(title || ' ' || names, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))) STORED;
CREATE INDEX alerts_words_idx ON alerts USING gin (words);

-- The mean times of a reopened alert start at its reopening.
DROP INDEX alerts_created_at_idx;
CREATE INDEX alerts_created_at_idx ON alerts (created_at, id)
  INCLUDE (severity, status, source, acknowledged_at, resolved_at, reopened_at);

-- An automation considers an alert once per opening.
ALTER TABLE automation_firings ADD COLUMN reopened_count integer NOT NULL DEFAULT 0;
