-- Up Migration, outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS approvals_ended_wait_idx;
CREATE INDEX CONCURRENTLY approvals_ended_wait_idx ON approvals (expires_at) WHERE status = 'timeout' AND wait_ended_at IS NOT NULL;
