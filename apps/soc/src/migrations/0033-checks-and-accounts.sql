-- Up Migration
-- The progress of the check of all ledger entries: first all places of the tree, then all chains.
ALTER TABLE ledger_status
  ADD COLUMN next_leaf integer DEFAULT 0,
  ADD COLUMN next_case uuid,
  ADD COLUMN next_sequence integer,
  ADD COLUMN pass_began_at timestamptz(3),
  ADD COLUMN fully_checked_at timestamptz(3);

-- The findings of the check. A fault that a complete later pass does not find again is deleted; one that the
-- operator accepted stays.
CREATE TABLE ledger_faults (
  subject text PRIMARY KEY,
  what text NOT NULL,
  found_at timestamptz(3) NOT NULL,
  last_found_at timestamptz(3) NOT NULL,
  is_accepted boolean NOT NULL DEFAULT false
);
GRANT SELECT, INSERT, UPDATE, DELETE ON ledger_faults TO soc_app;

-- Events that the automations could not handle. A worker retries them until they are handled.
CREATE TABLE parked_events (
  id uuid PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  type text NOT NULL,
  subject_id text NOT NULL,
  data jsonb NOT NULL,
  at timestamptz(3) NOT NULL,
  error text NOT NULL,
  retries integer NOT NULL DEFAULT 0,
  parked_at timestamptz(3) NOT NULL,
  retry_at timestamptz(3) NOT NULL
);
CREATE INDEX parked_events_retry_at_idx ON parked_events (retry_at);
CREATE INDEX parked_events_parked_at_idx ON parked_events (parked_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON parked_events TO soc_app;

-- A service whose login owns nothing must check whether the tables are up to date.
GRANT SELECT ON migrations TO soc_app;

-- User names must differ by more than case. A database with two such users keeps both.
DO $$
BEGIN
  CREATE UNIQUE INDEX users_lower_username_idx ON users (lower(username));
EXCEPTION
  WHEN unique_violation THEN CREATE INDEX users_lower_username_idx ON users (lower(username));
END
$$;

-- A key belongs to a user, expires at a time and with its owner, and records its last use. Existing keys get
-- a year.
ALTER TABLE api_keys
  ADD COLUMN owner text,
  ADD COLUMN expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 year',
  ADD COLUMN last_used_at timestamptz(3);
UPDATE api_keys SET owner = coalesce(
  (SELECT username FROM users WHERE username = created_by),
  (SELECT username FROM users WHERE role = 'admin' AND NOT disabled ORDER BY created_at LIMIT 1),
  created_by);
ALTER TABLE api_keys ALTER COLUMN owner SET NOT NULL, ALTER COLUMN expires_at DROP DEFAULT;
CREATE INDEX api_keys_owner_idx ON api_keys (owner);
GRANT UPDATE (last_used_at) ON api_keys TO soc_app;

-- Not a reference: a revoked key stays, and a later user with the same name must not get it.
CREATE FUNCTION revoke_keys_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys SET revoked = true WHERE owner = OLD.username;
  RETURN NULL;
END
$$;
CREATE TRIGGER users_end_their_keys AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION revoke_keys_of_user();
