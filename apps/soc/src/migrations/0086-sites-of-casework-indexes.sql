-- Up Migration, outside a transaction
-- The alerts of a caller's sites: their policy is checked before any other condition.
DROP INDEX CONCURRENTLY IF EXISTS alerts_site_idx;
CREATE INDEX CONCURRENTLY alerts_site_idx ON alerts (site, last_seen, id) WHERE site IS NOT NULL;
