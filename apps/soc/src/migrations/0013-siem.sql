-- Up Migration
CREATE TABLE hunts (
  id uuid PRIMARY KEY,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  description text NOT NULL CHECK (length(description) <= 20000),
  query text NOT NULL CHECK (length(query) <= 4096),
  source text,
  severity text CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
  host text,
  sharing_mode text NOT NULL CHECK (sharing_mode IN ('private', 'team', 'roles')),
  shared_with_roles text[] NOT NULL,
  tags text[] NOT NULL,
  -- A name instead of a reference, because findings stay when their author leaves.
  created_by text NOT NULL,
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((sharing_mode = 'roles') = (cardinality(shared_with_roles) > 0))
);
CREATE INDEX hunts_created_at_idx ON hunts (created_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON hunts TO soc_app;
