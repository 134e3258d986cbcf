-- Up Migration
-- What the last look at the ledger found, for every process to tell; only one of them looks, and only it has the file.
CREATE TABLE ledger_status (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  alarm text,
  checked_at timestamptz(3)
);
INSERT INTO ledger_status DEFAULT VALUES;
GRANT SELECT, UPDATE ON ledger_status TO soc_app;
