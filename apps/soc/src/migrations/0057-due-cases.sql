-- Up Migration, outside a transaction
-- The open cases that are due soon.
DROP INDEX CONCURRENTLY IF EXISTS cases_due_at_idx;
CREATE INDEX CONCURRENTLY cases_due_at_idx ON cases (due_at)
  WHERE due_at IS NOT NULL AND status NOT IN ('resolved', 'closed');
