-- Up Migration
-- Sites no longer move between platforms. The tables and the function of 0103 and 0104 are dropped one release later.
DROP TRIGGER alerts_of_moving_sites ON alerts;
DROP TRIGGER cases_of_moving_sites ON cases;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['case_timeline', 'case_observables', 'case_evidence', 'case_comments', 'case_tasks',
      'case_item_versions', 'case_custody', 'case_files'] LOOP
    EXECUTE format('DROP TRIGGER %I ON %I', name || '_of_moving_sites', name);
  END LOOP;
END
$$;
