-- Up Migration
-- The fingerprints of keys that all hosts share: a process with another key refuses to start. The owner
-- replaces a key by deleting its row while no process runs.
CREATE TABLE platform_keys (
  name text PRIMARY KEY,
  fingerprint text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL DEFAULT now()
);
-- Everything signed so far names the key of the ledger.
INSERT INTO platform_keys (name, fingerprint)
  SELECT 'ledger', key_id FROM ledger_checkpoints ORDER BY tree_size DESC LIMIT 1;
GRANT SELECT, INSERT ON platform_keys TO soc_app;
-- Invisible to callers with some sites: decision 0063.
CREATE POLICY all_sites ON platform_keys TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE platform_keys ENABLE ROW LEVEL SECURITY;

-- The service may log in as soc_app itself. For callers with some sites it then reads as soc_site without
-- inheriting its rights. An owner who may not do this uses a login that is a member of both roles.
DO $$
BEGIN
  IF NOT pg_has_role('soc_app', 'soc_site', 'MEMBER') THEN
    ALTER ROLE soc_app NOINHERIT;
    GRANT soc_site TO soc_app;
  END IF;
EXCEPTION
  -- The latter two: another database does it concurrently.
  WHEN insufficient_privilege OR internal_error OR unique_violation THEN NULL;
END
$$;
