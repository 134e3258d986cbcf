-- Up Migration
CREATE TABLE inbox_items (
  id uuid PRIMARY KEY,
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('assigned', 'mentioned', 'waiting', 'decided', 'failed', 'due')),
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  title text NOT NULL,
  actor text,
  at timestamptz(3) NOT NULL,
  read_at timestamptz(3),
  -- The cause, so that an event that is delivered twice adds one item.
  cause text NOT NULL,
  UNIQUE (username, cause)
);
CREATE INDEX inbox_items_username_at_idx ON inbox_items (username, at, id);
CREATE INDEX inbox_items_at_idx ON inbox_items (at);
CREATE INDEX inbox_items_waiting_idx ON inbox_items (subject_id) WHERE kind = 'waiting';
GRANT SELECT, INSERT, UPDATE, DELETE ON inbox_items TO soc_app;
