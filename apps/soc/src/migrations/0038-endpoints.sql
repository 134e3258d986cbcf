-- Up Migration
-- A retired endpoint is not listed and has no name, but its actions keep it. Its next heartbeat registers it again.
ALTER TABLE edr_endpoints ADD COLUMN retired_at timestamptz(3);
