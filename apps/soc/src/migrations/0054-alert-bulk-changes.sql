-- Up Migration
-- A bulk change of alerts, which the same caller can undo for a minute. Deleted soon after.
CREATE TABLE alert_bulk_changes (
  id uuid PRIMARY KEY,
  made_by text NOT NULL,
  at timestamptz(3) NOT NULL,
  undone_at timestamptz(3)
);
CREATE INDEX alert_bulk_changes_at_idx ON alert_bulk_changes (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON alert_bulk_changes TO soc_app;

-- The previous fields of each alert, and the version that the change stored: an alert with another version
-- has changed since.
CREATE TABLE alert_bulk_values (
  change_id uuid NOT NULL REFERENCES alert_bulk_changes,
  alert_id uuid NOT NULL,
  changed_to timestamptz(3) NOT NULL,
  before jsonb NOT NULL,
  PRIMARY KEY (change_id, alert_id)
);
GRANT SELECT, INSERT, DELETE ON alert_bulk_values TO soc_app;
