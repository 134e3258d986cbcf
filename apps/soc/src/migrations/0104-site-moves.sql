-- Up Migration
-- Sites that this cell moves to another one. A frozen site accepts neither logs nor changes.
CREATE TABLE site_moves (
  site_id uuid PRIMARY KEY,
  site_name text NOT NULL,
  to_cell text NOT NULL,
  state text NOT NULL CHECK (state IN ('frozen', 'moved')),
  frozen_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The ends of the log streams some time after the freeze: copying starts after everything up to them is
  -- stored.
  stream_ends jsonb,
  moved_at timestamptz(3),
  CHECK ((state = 'moved') = (moved_at IS NOT NULL))
);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_moves TO soc_app;
CREATE POLICY all_sites ON site_moves TO soc_app USING (true) WITH CHECK (true);
-- A session of some sites sees the moves of these sites, because its changes are refused as well.
GRANT SELECT ON site_moves TO soc_site;
CREATE POLICY some_sites ON site_moves FOR SELECT TO soc_site
  USING (site_name = ANY ((SELECT request_sites())::text[]));
ALTER TABLE site_moves ENABLE ROW LEVEL SECURITY;

-- Refuses changes of records of a site that is frozen or has moved. The argument names where a record has its
-- sites.
CREATE FUNCTION refuse_moving_site() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb;
  named text[];
  move record;
BEGIN
  -- A freeze waits for the transactions that have changed records. Those that come later see it.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('site_moves', 0));
  IF NOT EXISTS (SELECT FROM site_moves) THEN
    RETURN NULL;
  END IF;
  FOREACH changed IN ARRAY ARRAY[to_jsonb(OLD), to_jsonb(NEW)] LOOP
    named := CASE TG_ARGV[0]
      WHEN 'site' THEN ARRAY[changed ->> 'site']
      WHEN 'sites' THEN ARRAY(SELECT jsonb_array_elements_text(changed -> 'sites'))
      WHEN 'case' THEN (SELECT sites FROM cases WHERE id = (changed ->> 'case_id')::uuid)
      ELSE (SELECT sites FROM case_evidence JOIN cases ON cases.id = case_id
        WHERE case_evidence.id = (changed ->> 'evidence_id')::uuid)
    END;
    SELECT * INTO move FROM site_moves
      WHERE cardinality(named) > 0 AND named <@ ARRAY[site_id::text, site_name] LIMIT 1;
    IF FOUND AND move.state = 'frozen' THEN
      RAISE SQLSTATE 'SM503' USING MESSAGE = format('site: ''%s'' is being moved to cell ''%s''', move.site_name, move.to_cell);
    ELSIF FOUND THEN
      RAISE SQLSTATE 'SM421' USING MESSAGE = format('site: ''%s'' is in cell ''%s''', move.site_name, move.to_cell);
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;

-- Only requests, which their senders repeat. Changes by workers before the move ends are copied as well.
CREATE TRIGGER alerts_of_moving_sites AFTER INSERT OR UPDATE ON alerts
  FOR EACH ROW WHEN (current_setting('soc.serves', true) = 'requests') EXECUTE FUNCTION refuse_moving_site('site');
CREATE TRIGGER cases_of_moving_sites AFTER INSERT OR UPDATE OR DELETE ON cases
  FOR EACH ROW WHEN (current_setting('soc.serves', true) = 'requests') EXECUTE FUNCTION refuse_moving_site('sites');
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['case_timeline', 'case_observables', 'case_evidence', 'case_comments', 'case_tasks',
      'case_item_versions'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW
      WHEN (current_setting(''soc.serves'', true) = ''requests'') EXECUTE FUNCTION refuse_moving_site(''case'')',
      name || '_of_moving_sites', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['case_custody', 'case_files'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW
      WHEN (current_setting(''soc.serves'', true) = ''requests'') EXECUTE FUNCTION refuse_moving_site(''evidence'')',
      name || '_of_moving_sites', name);
  END LOOP;
END
$$;
