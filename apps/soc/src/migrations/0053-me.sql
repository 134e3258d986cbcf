-- Up Migration
-- Where a session was opened, so that its user recognises it.
ALTER TABLE sessions
  ADD COLUMN user_agent text,
  ADD COLUMN address text;

-- json, not jsonb: jsonb would print 1e308 as 309 digits, and a small document as a large one.
CREATE TABLE user_preferences (
  username text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  preferences json NOT NULL CHECK (octet_length(preferences::text) <= 65536),
  updated_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_preferences TO soc_app;
