-- Up Migration
-- One row per insert into the log store with names that a sender may repeat. It is written before the insert
-- and settled after it. For an unsettled row, a process asks the log store for its probe: an insert is
-- atomic.
CREATE TABLE log_inserts (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  writer text NOT NULL,
  ingested_at timestamptz(3) NOT NULL,
  probe text NOT NULL,
  is_stored boolean NOT NULL DEFAULT false,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX log_inserts_at_idx ON log_inserts (at);
CREATE INDEX log_inserts_writer_idx ON log_inserts (writer) WHERE NOT is_stored;

-- Names that a sender may repeat: a batch with its answer, or one event by the id of its log.
CREATE TABLE intake_batches (
  key uuid PRIMARY KEY,
  insert_id bigint NOT NULL REFERENCES log_inserts ON DELETE CASCADE,
  digest text NOT NULL,
  refused jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX intake_batches_insert_id_idx ON intake_batches (insert_id);
CREATE TABLE intake_events (
  id uuid PRIMARY KEY,
  insert_id bigint NOT NULL REFERENCES log_inserts ON DELETE CASCADE
);
CREATE INDEX intake_events_insert_id_idx ON intake_events (insert_id);

-- Bytes, because content that could not be read as an event need not be text.
CREATE TABLE dead_letters (
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  format text NOT NULL CHECK (format IN ('json', 'hec', 'bulk', 'otlp', 'syslog')),
  sender text NOT NULL,
  site text NOT NULL,
  source text NOT NULL,
  reason text NOT NULL,
  raw bytea NOT NULL,
  -- The original was longer.
  is_cut boolean NOT NULL
);
CREATE INDEX dead_letters_at_idx ON dead_letters (at, id);

CREATE TABLE log_sources (
  source text PRIMARY KEY,
  received bigint NOT NULL DEFAULT 0,
  stored bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  late bigint NOT NULL DEFAULT 0,
  last_seen timestamptz(3) NOT NULL,
  -- The usual interval between two arrivals, after enough were seen.
  interval_ms double precision NOT NULL DEFAULT 0,
  gaps integer NOT NULL DEFAULT 0,
  silent_since timestamptz(3)
) WITH (fillfactor = 50);
CREATE INDEX log_sources_last_seen_idx ON log_sources (last_seen);

-- This writer stores no further log with an earlier ingested_at.
CREATE TABLE log_writers (
  writer text PRIMARY KEY,
  watermark timestamptz(3) NOT NULL,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

GRANT SELECT, INSERT, UPDATE, DELETE ON log_inserts, intake_batches, intake_events, dead_letters, log_sources,
  log_writers TO soc_app;
