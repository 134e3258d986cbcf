-- Up Migration
-- Audit entries join the ledger: batches of their hashes are entries of one chain. Written with the entries of a
-- statement; a worker removes the row when they join the chain. The seal is the signature of the process.
CREATE TABLE audit_waiting (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  entry_ids uuid[] NOT NULL,
  hashes text[] NOT NULL,
  key_id text NOT NULL,
  seal text NOT NULL
);
-- The batch of each entry: its number in the chain. It outlives the entry, so nothing references the audit log.
CREATE TABLE audit_positions (
  entry_id uuid PRIMARY KEY,
  batch integer NOT NULL CHECK (batch >= 1)
);
CREATE TRIGGER audit_positions_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_positions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
-- The progress of the chain and of its check.
CREATE TABLE audit_chain (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Until then, and until all older entries are in the chain, entries without a seal count as older ones.
  accepts_unsealed_until timestamptz(3),
  backfilled_at timestamptz(3),
  -- The check: first all batches, then all entries of the audit log. Null while it reads the audit log, with which
  -- the first pass begins.
  next_batch integer,
  last_at timestamptz(3),
  last_id uuid,
  pass_began_at timestamptz(3),
  fully_checked_at timestamptz(3)
);
INSERT INTO audit_chain DEFAULT VALUES;
-- Signed statements that the entries of the first batches were deleted on purpose.
CREATE TABLE audit_deletions (
  batches integer PRIMARY KEY CHECK (batches >= 1),
  statement jsonb NOT NULL
);
CREATE TRIGGER audit_deletions_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_deletions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
-- How far each receiver has the entries of the chain.
CREATE TABLE audit_forwarding (
  receiver text PRIMARY KEY,
  batch integer NOT NULL,
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  failure text,
  failures integer NOT NULL DEFAULT 0,
  retry_at timestamptz(3)
);

GRANT SELECT, INSERT, DELETE ON audit_waiting TO soc_app;
GRANT SELECT, INSERT ON audit_positions TO soc_app;
GRANT SELECT, UPDATE ON audit_chain TO soc_app;
-- Only the owner deletes entries.
GRANT SELECT ON audit_deletions TO soc_app;
GRANT SELECT, INSERT, UPDATE ON audit_forwarding TO soc_app;
-- Invisible to callers with some sites, who only add entries: decision 0063.
CREATE POLICY all_sites ON audit_waiting TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY some_sites ON audit_waiting FOR INSERT TO soc_site WITH CHECK (true);
GRANT INSERT ON audit_waiting TO soc_site;
CREATE POLICY all_sites ON audit_positions TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY all_sites ON audit_chain TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY all_sites ON audit_deletions TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY all_sites ON audit_forwarding TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE audit_waiting ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_positions ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chain ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_deletions ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_forwarding ENABLE ROW LEVEL SECURITY;
