-- Up Migration
-- One sequence, so that a user who is created again under an old name never shares a token version with the
-- old one.
CREATE SEQUENCE token_versions AS integer;
GRANT USAGE ON SEQUENCE token_versions TO soc_app;
ALTER TABLE users
  ADD COLUMN email text CHECK (length(email) <= 320),
  ADD COLUMN token_version integer NOT NULL DEFAULT nextval('token_versions'),
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();

-- One key per period of thirty days. Whoever needs it first creates it; the primary key resolves races.
CREATE TABLE signing_keys (
  period integer PRIMARY KEY,
  kid text NOT NULL UNIQUE,
  private_jwk jsonb NOT NULL
);
GRANT SELECT, INSERT, DELETE ON signing_keys TO soc_app;

CREATE TABLE sessions (
  id_hash text PRIMARY KEY,
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  token_version integer NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX sessions_username_idx ON sessions (username);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO soc_app;

-- A revoked key stays, so that its actions can be told from those of a later key.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  prefix text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  revoked boolean NOT NULL DEFAULT false,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE (revoked) ON api_keys TO soc_app;

-- Worthless after a crash, so not logged; free space in each page allows updating a count in place.
CREATE UNLOGGED TABLE request_counts (
  budget text NOT NULL,
  client text NOT NULL,
  count integer NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (budget, client)
) WITH (fillfactor = 50);
CREATE INDEX request_counts_ends_at_idx ON request_counts (ends_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_counts TO soc_app;
