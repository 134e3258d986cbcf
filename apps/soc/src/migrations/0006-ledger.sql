-- Up Migration
-- One chain per case. It outlives its case, so nothing references the table of cases.
CREATE TABLE ledger_entries (
  case_id uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence >= 1),
  previous_hash text NOT NULL CHECK (previous_hash ~ '^[0-9a-f]{64}$'),
  entry_hash text NOT NULL CHECK (entry_hash ~ '^[0-9a-f]{64}$'),
  kind text NOT NULL,
  actor text NOT NULL,
  at timestamptz(3) NOT NULL,
  -- json instead of jsonb keeps the text that was hashed.
  body json NOT NULL,
  PRIMARY KEY (case_id, sequence)
);

-- Entries that are not in the tree yet. A list instead of a high-water mark, so that no entry is skipped that
-- commits late, or that is written after restoring a dump on a server with a new transaction counter.
CREATE TABLE ledger_waiting (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  case_id uuid NOT NULL,
  sequence integer NOT NULL,
  UNIQUE (case_id, sequence),
  FOREIGN KEY (case_id, sequence) REFERENCES ledger_entries
);

CREATE TABLE ledger_leaves (
  leaf_index integer PRIMARY KEY CHECK (leaf_index >= 0),
  case_id uuid NOT NULL,
  sequence integer NOT NULL,
  UNIQUE (case_id, sequence),
  FOREIGN KEY (case_id, sequence) REFERENCES ledger_entries
);

-- The complete subtrees of the RFC 6962 tree; level 0 contains the leaves.
CREATE TABLE ledger_nodes (
  level smallint NOT NULL,
  position integer NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  PRIMARY KEY (level, position)
);

CREATE TABLE ledger_checkpoints (
  tree_size integer PRIMARY KEY CHECK (tree_size >= 1),
  root_hash text NOT NULL CHECK (root_hash ~ '^[0-9a-f]{64}$'),
  at timestamptz(3) NOT NULL,
  key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{64}$'),
  signature text NOT NULL CHECK (signature ~ '^[0-9a-f]{128}$')
);

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % refused: the ledger is only ever appended to', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER ledger_entries_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_leaves_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_leaves
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_nodes_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_checkpoints_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

GRANT SELECT, INSERT ON ledger_entries, ledger_leaves, ledger_nodes, ledger_checkpoints TO soc_app;
GRANT SELECT, INSERT, DELETE ON ledger_waiting TO soc_app;
