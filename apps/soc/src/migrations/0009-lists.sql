-- Up Migration
-- Pages are read with index-only scans, so indexes of lists with several filters also contain the columns of
-- the other filters. A case has few alerts, so its index does not.
DROP INDEX alerts_status_severity_idx;
CREATE INDEX alerts_status_severity_idx ON alerts (status, severity, created_at, id)
  INCLUDE (last_seen, source, assignee);
DROP INDEX alerts_status_last_seen_idx;
CREATE INDEX alerts_status_last_seen_idx ON alerts (status, last_seen, id) INCLUDE (severity);
DROP INDEX alerts_source_created_at_idx;
CREATE INDEX alerts_source_created_at_idx ON alerts (source, created_at, id) INCLUDE (severity, status, assignee);
DROP INDEX alerts_source_last_seen_idx;
CREATE INDEX alerts_source_last_seen_idx ON alerts (source, last_seen, id) INCLUDE (severity, status, assignee);
DROP INDEX alerts_source_severity_idx;
CREATE INDEX alerts_source_severity_idx ON alerts (source, severity, created_at, id)
  INCLUDE (last_seen, status, assignee);
-- One person may have many alerts: each order has its index, as for a source.
DROP INDEX alerts_assignee_idx;
CREATE INDEX alerts_assignee_created_at_idx ON alerts (assignee, created_at, id) INCLUDE (severity, status, source)
  WHERE assignee IS NOT NULL;
CREATE INDEX alerts_assignee_last_seen_idx ON alerts (assignee, last_seen, id) INCLUDE (severity, status, source)
  WHERE assignee IS NOT NULL;
CREATE INDEX alerts_assignee_severity_idx ON alerts (assignee, severity, created_at, id)
  INCLUDE (last_seen, status, source) WHERE assignee IS NOT NULL;

-- Index-only scans need vacuumed rows, and plans need current statistics. By default both wait until a fifth
-- of the table is new.
ALTER TABLE alerts SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE cases SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);
