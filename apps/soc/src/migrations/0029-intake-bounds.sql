-- Up Migration
-- Syslog has no answers: what could not be stored in time is at least counted for its sender.
CREATE TABLE syslog_drops (
  sender text PRIMARY KEY,
  dropped bigint NOT NULL,
  first_dropped_at timestamptz(3) NOT NULL,
  last_dropped_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON syslog_drops TO soc_app;
