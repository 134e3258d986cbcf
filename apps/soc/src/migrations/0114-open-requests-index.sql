-- Up Migration, outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS approvals_open_request_idx;
CREATE INDEX CONCURRENTLY approvals_open_request_idx ON approvals (expires_at) WHERE kind = 'request' AND status = 'timeout';
