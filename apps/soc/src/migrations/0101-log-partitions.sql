-- Up Migration
-- The partitions of the log stream with owner and progress. Times are those of this server's clock.
CREATE TABLE log_partitions (
  partition integer PRIMARY KEY CHECK (partition >= 0),
  -- Increases with each owner: an earlier owner can no longer change anything.
  epoch bigint NOT NULL DEFAULT 0,
  owner text,
  lease_until timestamptz(3) NOT NULL DEFAULT '-infinity',
  -- No log with an earlier ingested_at will be stored in this partition.
  watermark timestamptz(3) NOT NULL,
  -- The place in the stream up to which all logs are stored and evaluated, and the number of groups.
  handled text NOT NULL,
  groups bigint NOT NULL DEFAULT 0,
  -- The group that is being stored and evaluated: its end in the stream and its ingested_at.
  claim_to text,
  claim_stamp timestamptz(3),
  CHECK ((claim_to IS NULL) = (claim_stamp IS NULL))
) WITH (fillfactor = 50);

-- Workers that may own partitions.
CREATE TABLE log_partition_workers (
  worker text PRIMARY KEY,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Names that senders may repeat: batches (with a digest) and events. The group of the partition that stored
-- it determines when it counts as stored.
CREATE TABLE log_names (
  partition integer NOT NULL,
  name uuid NOT NULL,
  day date NOT NULL,
  group_number bigint NOT NULL,
  digest text,
  refused jsonb,
  PRIMARY KEY (partition, name)
);
CREATE INDEX log_names_day_idx ON log_names (partition, day);

GRANT SELECT, INSERT, UPDATE, DELETE ON log_partitions, log_partition_workers, log_names TO soc_app;
-- Invisible to callers with some sites: decision 0063.
CREATE POLICY all_sites ON log_partitions TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY all_sites ON log_partition_workers TO soc_app USING (true) WITH CHECK (true);
CREATE POLICY all_sites ON log_names TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE log_partitions ENABLE ROW LEVEL SECURITY;
ALTER TABLE log_partition_workers ENABLE ROW LEVEL SECURITY;
ALTER TABLE log_names ENABLE ROW LEVEL SECURITY;
