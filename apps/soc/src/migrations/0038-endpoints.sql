-- Up Migration
-- A retired endpoint is not listed and has no name, but keeps its actions. Its next heartbeat registers it
-- again.
ALTER TABLE edr_endpoints ADD COLUMN retired_at timestamptz(3);
