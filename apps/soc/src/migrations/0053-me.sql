-- Up Migration
-- Where a session was opened, so that its user recognises it.
ALTER TABLE sessions
  ADD COLUMN user_agent text,
  ADD COLUMN address text;

-- json instead of jsonb, which would print 1e308 as 309 digits and enlarge a small document.
CREATE TABLE user_preferences (
  username text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  preferences json NOT NULL CHECK (octet_length(preferences::text) <= 65536),
  updated_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_preferences TO soc_app;

CREATE TABLE views (
  id uuid PRIMARY KEY,
  page text NOT NULL CHECK (length(page) BETWEEN 1 AND 50),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  state json NOT NULL CHECK (octet_length(state::text) <= 16384),
  sharing_mode text NOT NULL CHECK (sharing_mode IN ('private', 'team', 'roles')),
  shared_with_roles text[] NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((sharing_mode = 'roles') = (cardinality(shared_with_roles) > 0))
);
CREATE INDEX views_created_at_idx ON views (created_at, id);
CREATE INDEX views_created_by_idx ON views (created_by);
GRANT SELECT, INSERT, UPDATE, DELETE ON views TO soc_app;

-- A later user with the same name is another person. Private views are deleted with their user; shared ones
-- stay.
CREATE FUNCTION leave_views_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM views WHERE created_by = OLD.username AND sharing_mode = 'private';
  UPDATE views SET created_by = OLD.username || ' (deleted ' || OLD.token_version || ')' WHERE created_by = OLD.username;
  RETURN NULL;
END
$$;
CREATE TRIGGER users_leave_their_views AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION leave_views_of_user();

-- Who made the change of an event, and the type of the record. Null in earlier events.
ALTER TABLE outbox
  ADD COLUMN actor text,
  ADD COLUMN subject_type text;
