-- Up Migration
-- The variable state of an agent; assistants/agents/catalog.ts defines the rest. Disabling keeps the last
-- error.
CREATE TABLE agents (
  id text PRIMARY KEY CHECK (id ~ '^agent-[0-9]{3}$'),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'error')),
  instances integer NOT NULL DEFAULT 1 CHECK (instances BETWEEN 0 AND 10),
  last_active timestamptz(3),
  error text,
  CHECK (CASE status WHEN 'active' THEN error IS NULL WHEN 'error' THEN error IS NOT NULL ELSE true END)
);
INSERT INTO agents (id) SELECT 'agent-' || lpad(number::text, 3, '0') FROM generate_series(1, 16) AS number;
GRANT SELECT, UPDATE ON agents TO soc_app;

-- If an agent is deployed to a site that is deleted concurrently, one of the two fails, even with services of
-- the previous release.
CREATE TABLE agent_sites (
  agent_id text NOT NULL REFERENCES agents (id),
  site_id uuid NOT NULL REFERENCES sites (id),
  deployed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (agent_id, site_id)
);
CREATE INDEX agent_sites_site_id_idx ON agent_sites (site_id);
GRANT SELECT, INSERT, DELETE ON agent_sites TO soc_app;

-- PostgreSQL allows row locks to a role that may update a column. No code updates a site.
GRANT UPDATE (created_at) ON sites TO soc_app;
