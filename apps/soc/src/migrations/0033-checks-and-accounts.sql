-- Up Migration
-- How far the check of all ledger entries has come: first all places of the tree, then all chains.
ALTER TABLE ledger_status
  ADD COLUMN next_leaf integer DEFAULT 0,
  ADD COLUMN next_case uuid,
  ADD COLUMN next_sequence integer,
  ADD COLUMN pass_began_at timestamptz(3),
  ADD COLUMN fully_checked_at timestamptz(3);

-- What the check found. A fault that a whole later pass does not find again is deleted; one that the operator accepted stays.
CREATE TABLE ledger_faults (
  subject text PRIMARY KEY,
  what text NOT NULL,
  found_at timestamptz(3) NOT NULL,
  last_found_at timestamptz(3) NOT NULL,
  is_accepted boolean NOT NULL DEFAULT false
);
GRANT SELECT, INSERT, UPDATE, DELETE ON ledger_faults TO soc_app;
