-- Up Migration, outside a transaction
-- The investigations of a case for its page.
DROP INDEX CONCURRENTLY IF EXISTS investigations_case_id_idx;
CREATE INDEX CONCURRENTLY investigations_case_id_idx ON investigations (case_id, created_at, investigation_id)
  WHERE case_id IS NOT NULL;
