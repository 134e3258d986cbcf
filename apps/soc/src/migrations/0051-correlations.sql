-- Up Migration
-- Groups of records that share entities within a day.
CREATE TABLE correlations (
  id uuid PRIMARY KEY,
  -- The score of its strongest link.
  score double precision NOT NULL CHECK (score > 0 AND score <= 1),
  reason text NOT NULL,
  severity text NOT NULL,
  members integer NOT NULL,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  case_id uuid REFERENCES cases (id) ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX correlations_last_at_idx ON correlations (last_at, id);
CREATE INDEX correlations_case_id_idx ON correlations (case_id);

CREATE TABLE correlation_members (
  kind text NOT NULL CHECK (kind IN ('alert', 'attestation')),
  record_id uuid NOT NULL,
  correlation_id uuid NOT NULL REFERENCES correlations (id) ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  severity text NOT NULL,
  -- Why it belongs to the group; null for the first member.
  reason text,
  PRIMARY KEY (kind, record_id)
);
CREATE INDEX correlation_members_correlation_id_idx ON correlation_members (correlation_id, at DESC);

-- The entities of each record of the last days, used to find records that share them.
CREATE TABLE correlation_entities (
  entity text NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  severity text NOT NULL,
  PRIMARY KEY (kind, record_id, entity)
);
CREATE INDEX correlation_entities_entity_idx ON correlation_entities (entity, at DESC);
CREATE INDEX correlation_entities_at_idx ON correlation_entities (at);

GRANT SELECT, INSERT, UPDATE, DELETE ON correlations, correlation_members, correlation_entities TO soc_app;
