-- Up Migration
-- The second factors of a user. An unconfirmed one proves nothing.
CREATE TABLE user_factors (
  id uuid PRIMARY KEY,
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- The secret of a TOTP factor, encrypted for this id.
  sealed text,
  -- The step of the last accepted code, because a code is accepted once.
  last_step integer,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3)
);
CREATE INDEX user_factors_username_idx ON user_factors (username);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_factors TO soc_app;

-- A used code is deleted.
CREATE TABLE recovery_codes (
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  digest text NOT NULL,
  PRIMARY KEY (username, digest)
);
GRANT SELECT, INSERT, DELETE ON recovery_codes TO soc_app;

-- When a session last used a second factor, and whether it must use one before anything else.
ALTER TABLE sessions
  ADD COLUMN factor_at timestamptz(3),
  ADD COLUMN is_pending boolean NOT NULL DEFAULT false;
