-- Up Migration
-- The data to verify a security key or a passkey.
CREATE TABLE webauthn_credentials (
  factor_id uuid PRIMARY KEY REFERENCES user_factors ON DELETE CASCADE,
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  -- In base64url, as browsers send it.
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) <= 1400),
  public_key bytea NOT NULL,
  -- The highest accepted counter; 0 for an authenticator without a counter.
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  -- Whether it may also replace the password.
  is_passkey boolean NOT NULL,
  -- When its counter went back, which shows that a copy exists; it then proves nothing.
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
