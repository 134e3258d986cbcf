-- Up Migration
-- From this ingest time, the rules of the current generation evaluate all logs; null while one worker reads
-- logs back.
ALTER TABLE detection_stream ADD COLUMN frontier timestamptz(3);

-- The generation in which the rule got its current form; null is unknown.
ALTER TABLE detection_coverage ADD COLUMN generation bigint;
CREATE FUNCTION set_coverage_generation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR (NEW.version, NEW.owner) IS DISTINCT FROM (OLD.version, OLD.owner) THEN
    NEW.generation := (SELECT generation FROM detection_stream);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER detection_coverage_generation BEFORE INSERT OR UPDATE ON detection_coverage
  FOR EACH ROW EXECUTE FUNCTION set_coverage_generation();

-- The findings of a partition's owner for scheduled rules in five seconds of ingest time. A segment without a
-- row is read from the log store.
CREATE TABLE log_segments (
  partition integer NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  -- All rules of this generation have evaluated all its logs.
  generation bigint NOT NULL,
  -- Rules with more hits than are stored.
  dropped uuid[] NOT NULL,
  -- Compressed; null without hits.
  hits bytea,
  PRIMARY KEY (starts_at, partition)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON log_segments TO soc_app;
CREATE POLICY all_sites ON log_segments TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE log_segments ENABLE ROW LEVEL SECURITY;
