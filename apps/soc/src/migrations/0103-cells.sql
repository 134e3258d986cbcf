-- Up Migration
-- What this cell knows of the others: the last genuine statement of each, and the error of the last failed
-- request.
CREATE TABLE cell_statements (
  cell text PRIMARY KEY,
  statement jsonb,
  seen_at timestamptz(3),
  problem text
);
-- The signed roots of the tree over the cells. A leaf is the newest checkpoint of a cell.
CREATE TABLE cell_roots (
  number integer PRIMARY KEY,
  size integer NOT NULL,
  root_hash text NOT NULL,
  previous_hash text NOT NULL,
  at timestamptz(3) NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  leaves jsonb NOT NULL
);
CREATE INDEX cell_roots_at_idx ON cell_roots (at);
GRANT SELECT, INSERT, UPDATE ON cell_statements TO soc_app;
GRANT SELECT, INSERT, DELETE ON cell_roots TO soc_app;
-- Invisible to callers with some sites: decision 0063.
CREATE POLICY all_sites ON cell_statements TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY all_sites ON cell_roots TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE cell_statements ENABLE ROW LEVEL SECURITY;
ALTER TABLE cell_roots ENABLE ROW LEVEL SECURITY;
