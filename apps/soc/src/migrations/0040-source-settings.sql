-- Up Migration
-- Decisions of people about a source. Separate from log_sources, whose rows end with the source's last
-- events.
CREATE TABLE log_source_settings (
  source text PRIMARY KEY CHECK (length(source) BETWEEN 1 AND 512),
  watch boolean NOT NULL,
  timezone text,
  updated_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON log_source_settings TO soc_app;
