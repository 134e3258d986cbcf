-- Up Migration
-- An observable is in a case once. The first of equal ones stays; its value may exceed the size of an index
-- entry.
DELETE FROM case_observables AS later USING case_observables AS first
  WHERE later.case_id = first.case_id AND later.type = first.type AND later.value = first.value AND later.id > first.id;
CREATE UNIQUE INDEX case_observables_equal_idx ON case_observables (case_id, type, md5(value));

ALTER TABLE cases ADD COLUMN mitre_techniques text[] NOT NULL DEFAULT '{}';
ALTER TABLE case_comments ADD COLUMN edited_at timestamptz(3);

-- ?q= of cases searches observables and comments, too.
ALTER TABLE case_observables ADD COLUMN search tsvector NOT NULL
  GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, type || ' ' || value)) STORED;
CREATE INDEX case_observables_search_idx ON case_observables USING gin (search);
ALTER TABLE case_comments ADD COLUMN search tsvector NOT NULL
  GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, body)) STORED;
CREATE INDEX case_comments_search_idx ON case_comments USING gin (search);

-- Items are edited and removed; the immutable timeline records it.
GRANT UPDATE, DELETE ON case_observables, case_comments TO soc_app;
GRANT DELETE ON case_tasks TO soc_app;

-- One alert per silent source. A source is watched after it has been sending for some hours; existing sources
-- are watched from now on.
ALTER TABLE log_sources ADD COLUMN watched_from timestamptz(3) NOT NULL DEFAULT now(), ADD COLUMN silence_alert_id uuid;
CREATE INDEX log_sources_silence_alert_id_idx ON log_sources (silence_alert_id) WHERE silence_alert_id IS NOT NULL;
