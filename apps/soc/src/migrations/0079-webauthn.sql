-- Up Migration
-- What a security key or a passkey is verified with.
CREATE TABLE webauthn_credentials (
  factor_id uuid PRIMARY KEY REFERENCES user_factors ON DELETE CASCADE,
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  -- In base64url, as browsers send it.
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) <= 1400),
  public_key bytea NOT NULL,
  -- The highest one that was accepted; 0 of an authenticator that does not count.
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  -- Whether it may replace the password, too.
  is_passkey boolean NOT NULL,
  -- When its counter went back: there is a copy of it, and it proves nothing any more.
  cloned_at timestamptz(3)
);
CREATE INDEX webauthn_credentials_username_idx ON webauthn_credentials (username);
GRANT SELECT, INSERT, UPDATE, DELETE ON webauthn_credentials TO soc_app;

-- Challenges are accepted once.
CREATE TABLE webauthn_uses (
  digest text PRIMARY KEY,
  ends_at timestamptz NOT NULL
);
CREATE INDEX webauthn_uses_ends_at_idx ON webauthn_uses (ends_at);
GRANT SELECT, INSERT, DELETE ON webauthn_uses TO soc_app;
