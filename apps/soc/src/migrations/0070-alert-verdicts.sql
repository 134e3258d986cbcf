-- Up Migration, outside a transaction
-- ?verdict=, by created_at; alerts with a verdict are sorted by any other order.
DROP INDEX CONCURRENTLY IF EXISTS alerts_verdict_idx;
CREATE INDEX CONCURRENTLY alerts_verdict_idx ON alerts (verdict, created_at, id) WHERE verdict IS NOT NULL;
