-- Up Migration
-- Syslog has no answers: events that could not be stored in time are at least counted per sender.
CREATE TABLE syslog_drops (
  sender text PRIMARY KEY,
  dropped bigint NOT NULL,
  first_dropped_at timestamptz(3) NOT NULL,
  last_dropped_at timestamptz(3) NOT NULL
);

-- Dead letters are limited by number and size without reading them.
ALTER TABLE dead_letters ADD COLUMN bytes integer NOT NULL DEFAULT 0;
UPDATE dead_letters SET bytes = octet_length(raw);
CREATE INDEX dead_letters_at_id_idx ON dead_letters (at, id) INCLUDE (bytes);
DROP INDEX dead_letters_at_idx;
CREATE INDEX dead_letters_sender_idx ON dead_letters (sender, at, id);

-- Anyone who reaches the plain syslog port can name sources, so sources are limited and expire.
ALTER TABLE log_sources
  ADD COLUMN sender text NOT NULL DEFAULT '',
  ADD COLUMN is_open boolean NOT NULL DEFAULT false,
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now();
CREATE INDEX log_sources_sender_idx ON log_sources (sender, created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON syslog_drops TO soc_app;
