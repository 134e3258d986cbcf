-- Up Migration, outside a transaction
-- The indexes with every filter and order of a list also get the site, so that matches of callers with some
-- sites are counted without reading them, too.
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
