-- Up Migration
-- The keys that have signed the ledger, each named by its predecessor. The statement is stored as signed.
CREATE TABLE ledger_successions (
  key_id text PRIMARY KEY CHECK (key_id ~ '^[0-9a-f]{64}$'),
  next_key_id text NOT NULL UNIQUE CHECK (next_key_id ~ '^[0-9a-f]{64}$' AND next_key_id <> key_id),
  statement jsonb NOT NULL
);
CREATE TRIGGER ledger_successions_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_successions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
-- Only the owner replaces a key.
GRANT SELECT ON ledger_successions TO soc_app;
-- Invisible to callers with some sites: decision 0063.
CREATE POLICY all_sites ON ledger_successions TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE ledger_successions ENABLE ROW LEVEL SECURITY;
