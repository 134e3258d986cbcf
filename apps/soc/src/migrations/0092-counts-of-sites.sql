-- Up Migration, outside a transaction
-- How many alerts of a site there are of each status and severity, without reading them; still 7 MB a million.
DROP INDEX CONCURRENTLY IF EXISTS alerts_counts_by_site_idx;
CREATE INDEX CONCURRENTLY alerts_counts_by_site_idx ON alerts (status, severity, site);
DROP INDEX CONCURRENTLY IF EXISTS alerts_counts_idx;
