-- Up Migration, outside a transaction
-- Default deny: every table has row-level security, a policy that hides nothing from soc_app, and none for
-- soc_site unless a migration adds one. Each table in its own transaction, so that no request waits for more
-- than one of them.
DO $$
DECLARE name text; --
BEGIN
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema() AND tablename <> 'migrations' AND NOT rowsecurity
  LOOP
    EXECUTE format('CREATE POLICY all_sites ON %I TO soc_app USING (true) WITH CHECK (true)', name); -- first, or it would see nothing
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name); --
    COMMIT; --
  END LOOP; --
END
$$
