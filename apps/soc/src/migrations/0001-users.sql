-- Up Migration
CREATE TABLE users (
  username text PRIMARY KEY CHECK (length(username) BETWEEN 1 AND 100),
  role text NOT NULL CHECK (role IN
    ('admin', 'manager', 'tier3', 'tier2', 'tier1', 'detection', 'responder', 'auditor', 'agent')),
  password_hash text NOT NULL,
  disabled boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
