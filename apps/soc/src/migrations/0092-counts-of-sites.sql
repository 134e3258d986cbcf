-- Up Migration, outside a transaction
-- Counts alerts of a site by status and severity without reading them; 7 MB per million.
DROP INDEX CONCURRENTLY IF EXISTS alerts_counts_by_site_idx;
CREATE INDEX CONCURRENTLY alerts_counts_by_site_idx ON alerts (status, severity, site);
DROP INDEX CONCURRENTLY IF EXISTS alerts_counts_idx;
