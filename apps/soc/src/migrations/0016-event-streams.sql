-- Up Migration
-- An event published under an id exists once, however often it is published. Events of changes have none:
-- they commit with their change, and their place is their id.
ALTER TABLE outbox ADD COLUMN event_id text;
CREATE UNIQUE INDEX outbox_event_id_idx ON outbox (event_id) WHERE event_id IS NOT NULL;

-- The progress of each consumer. The batch between the two places was delivered; after a crash exactly this
-- batch is delivered again.
CREATE TABLE stream_cursors (
  stream text NOT NULL,
  consumer text NOT NULL,
  handled text NOT NULL,
  claimed text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream, consumer)
);
GRANT SELECT, INSERT, UPDATE ON stream_cursors TO soc_app;
