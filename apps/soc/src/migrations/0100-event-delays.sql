-- Up Migration
-- The alert about events that no reader can see yet; null while there are none. Set together with the alert.
CREATE TABLE event_delays (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  alert_id uuid
);
INSERT INTO event_delays DEFAULT VALUES;
GRANT SELECT, UPDATE ON event_delays TO soc_app;
-- Invisible to callers with some sites: decision 0063.
CREATE POLICY all_sites ON event_delays TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE event_delays ENABLE ROW LEVEL SECURITY;

-- When the oldest open transaction that has written to a table began. PostgreSQL shows that time only to the
-- role of the session, and the service may log in as another role.
CREATE FUNCTION oldest_writer(written oid)
  RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT min(activity.xact_start)
    FROM pg_locks AS held JOIN pg_stat_activity AS activity USING (pid)
    WHERE held.locktype = 'relation' AND held.relation = written AND held.mode = 'RowExclusiveLock' AND held.granted
      AND held.database = activity.datid AND activity.datname = current_database() AND activity.pid <> pg_backend_pid()
  $$;
REVOKE ALL ON FUNCTION oldest_writer(oid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oldest_writer(oid) TO soc_app;
