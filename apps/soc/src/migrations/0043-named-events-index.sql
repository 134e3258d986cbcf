-- Up Migration, outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS log_inserts_events_idx;
CREATE INDEX CONCURRENTLY log_inserts_events_idx ON log_inserts (id) INCLUDE (events) WHERE events > 0;
