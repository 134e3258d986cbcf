-- Up Migration
-- The provider of a user; null for a local user.
ALTER TABLE users ADD COLUMN provider text;

-- A provider names its users by subjects, which are never reassigned, unlike user names.
CREATE TABLE user_identities (
  provider text NOT NULL,
  subject text NOT NULL CHECK (length(subject) <= 255),
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (provider, subject),
  UNIQUE (username, provider)
);
GRANT SELECT, INSERT, DELETE ON user_identities TO soc_app;

-- With which a provider ends its sessions.
ALTER TABLE sessions
  ADD COLUMN provider text,
  ADD COLUMN provider_sid text;

-- Answers and logout tokens of providers are accepted once.
CREATE TABLE oidc_uses (
  digest text PRIMARY KEY,
  ends_at timestamptz NOT NULL
);
CREATE INDEX oidc_uses_ends_at_idx ON oidc_uses (ends_at);
GRANT SELECT, INSERT, DELETE ON oidc_uses TO soc_app;
