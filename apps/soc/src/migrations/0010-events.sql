-- Up Migration
-- The last swept place in the stream: a reader that returns from before it has missed events. What was swept
-- before this table existed is unknown, so it starts with all of that.
CREATE TABLE outbox_swept (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL DEFAULT 0
);
INSERT INTO outbox_swept DEFAULT VALUES;
GRANT SELECT, UPDATE ON outbox_swept TO soc_app;
