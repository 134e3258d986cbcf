-- Up Migration, outside a transaction
-- The indexes that have every filter and order of a list get the site, too, so that matches of callers of some sites are
-- counted without reading them, as those of others are.
DROP INDEX CONCURRENTLY IF EXISTS alerts_status_severity_site_idx;
CREATE INDEX CONCURRENTLY alerts_status_severity_site_idx ON alerts (status, severity, created_at, id)
  INCLUDE (last_seen, source, assignee, site);
DROP INDEX CONCURRENTLY IF EXISTS alerts_status_severity_idx;
DROP INDEX CONCURRENTLY IF EXISTS alerts_source_severity_site_idx;
CREATE INDEX CONCURRENTLY alerts_source_severity_site_idx ON alerts (source, severity, created_at, id)
  INCLUDE (last_seen, status, assignee, site);
DROP INDEX CONCURRENTLY IF EXISTS alerts_source_severity_idx;
DROP INDEX CONCURRENTLY IF EXISTS alerts_assignee_severity_site_idx;
CREATE INDEX CONCURRENTLY alerts_assignee_severity_site_idx ON alerts (assignee, severity, created_at, id)
  INCLUDE (last_seen, status, source, site) WHERE assignee IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS alerts_assignee_severity_idx;
