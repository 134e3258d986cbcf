-- Up Migration
-- Where a user has signed in before: the type of device and the network.
CREATE TABLE known_places (
  username text NOT NULL REFERENCES users ON DELETE CASCADE,
  device text NOT NULL CHECK (length(device) BETWEEN 1 AND 100),
  network text NOT NULL CHECK (length(network) BETWEEN 1 AND 100),
  last_seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (username, device, network)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_places TO soc_app;

-- Allows notifications about a sign-in from a new place. NOT VALID, because existing rows already match.
ALTER TABLE inbox_items
  DROP CONSTRAINT inbox_items_kind_check,
  ADD CONSTRAINT inbox_items_kind_check
    CHECK (kind IN ('assigned', 'mentioned', 'waiting', 'decided', 'failed', 'due', 'sign_in')) NOT VALID;
