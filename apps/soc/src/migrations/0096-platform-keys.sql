-- Up Migration
-- The keys that all hosts share, by a fingerprint: a process with another key refuses to start. A key is replaced by the
-- owner, who deletes its row while no process runs.
CREATE TABLE platform_keys (
  name text PRIMARY KEY,
  fingerprint text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL DEFAULT now()
);
-- What the platform signed so far names the key of the ledger.
INSERT INTO platform_keys (name, fingerprint)
  SELECT 'ledger', key_id FROM ledger_checkpoints ORDER BY tree_size DESC LIMIT 1;
GRANT SELECT, INSERT ON platform_keys TO soc_app;
-- Callers of some sites see nothing of it: decision 0063.
CREATE POLICY all_sites ON platform_keys TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE platform_keys ENABLE ROW LEVEL SECURITY;

-- The service may log in as soc_app itself. It then reads for callers of some sites as soc_site, and inherits nothing
-- from it. An owner who may not do this uses a login that is a member of both roles.
DO $$
BEGIN
  IF NOT pg_has_role('soc_app', 'soc_site', 'MEMBER') THEN
    ALTER ROLE soc_app NOINHERIT;
    GRANT soc_site TO soc_app;
  END IF;
EXCEPTION
  -- The latter two: another database is doing it at this moment.
  WHEN insufficient_privilege OR internal_error OR unique_violation THEN NULL;
END
$$;
