-- Up Migration, outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS approvals_ended_wait_idx;
CREATE INDEX CONCURRENTLY approvals_ended_wait_idx ON approvals (expires_at) WHERE status = 'timeout' AND wait_ended_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS approvals_open_case_idx;
CREATE INDEX CONCURRENTLY approvals_open_case_idx ON approvals (case_id)
  WHERE status = 'pending' OR (kind = 'request' AND status = 'timeout');
DROP INDEX CONCURRENTLY IF EXISTS approvals_case_id_idx;
