-- Up Migration, outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS approvals_case_id_idx;
CREATE INDEX CONCURRENTLY approvals_case_id_idx ON approvals (case_id) WHERE status = 'pending';
