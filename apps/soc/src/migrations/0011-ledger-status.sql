-- Up Migration
-- The result of the last ledger check for all processes; only one process checks, and only it has the file.
CREATE TABLE ledger_status (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  alarm text,
  checked_at timestamptz(3)
);
INSERT INTO ledger_status DEFAULT VALUES;
GRANT SELECT, UPDATE ON ledger_status TO soc_app;
