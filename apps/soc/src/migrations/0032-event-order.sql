-- Up Migration
-- Events are numbered after their commit, one batch at a time: the order of the numbers is the order in which readers see
-- them. A transaction that is still open, in this or another database of the server, delays no other event.
ALTER TABLE outbox ADD COLUMN place bigint;
ALTER TABLE outbox_swept ADD COLUMN place bigint NOT NULL DEFAULT 1;
UPDATE outbox SET place = known.place
FROM (SELECT id, 1 + row_number() OVER (ORDER BY xid, id) AS place FROM outbox) AS known
WHERE outbox.id = known.id;
CREATE UNIQUE INDEX outbox_place_idx ON outbox (place) WHERE place IS NOT NULL;
CREATE INDEX outbox_waiting_idx ON outbox (id) WHERE place IS NULL;
GRANT UPDATE (place) ON outbox TO soc_app;

-- The cursors of consumers were positions by transaction. A cursor that missed swept events stays before the
-- sweep position, and one of another server stays beyond the end, so that both are still reported.
CREATE FUNCTION pg_temp.to_place(cursor text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE
    WHEN old.xid > pg_current_xact_id() THEN '999999999999999999'
    WHEN swept.xid <= pg_current_xact_id() AND (old.xid, old.id) < (swept.xid, swept.id) THEN '0'
    ELSE (SELECT coalesce(max(outbox.place), 1)::text FROM outbox WHERE (outbox.xid, outbox.id) <= (old.xid, old.id))
  END
  FROM outbox_swept AS swept,
    (SELECT split_part(cursor, '-', 1)::xid8 AS xid, split_part(cursor, '-', 2)::bigint AS id) AS old
$$;
UPDATE stream_cursors SET handled = pg_temp.to_place(handled), claimed = pg_temp.to_place(claimed)
WHERE stream = 'outbox';
DROP FUNCTION pg_temp.to_place(text);

DROP INDEX outbox_xid_idx;
ALTER TABLE outbox_swept DROP COLUMN xid, DROP COLUMN id;

-- Numbers the next committed events. The server completes it without waiting for the client, so a client that
-- dies holds no lock.
CREATE FUNCTION number_events(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  numbered integer;
BEGIN
  IF NOT EXISTS (SELECT FROM outbox WHERE place IS NULL) THEN
    RETURN 0;
  END IF;
  -- Another session numbers events now.
  IF NOT pg_try_advisory_xact_lock(hashtextextended('event order', 0)) THEN
    RETURN 0;
  END IF;
  -- This statement begins after the lock was taken: it sees every number that was given before.
  UPDATE outbox SET place = following.place
  FROM (
    SELECT waiting.id, latest.place + row_number() OVER (ORDER BY waiting.id) AS place
    FROM (SELECT id FROM outbox WHERE place IS NULL ORDER BY id LIMIT most) AS waiting,
      (SELECT greatest((SELECT max(place) FROM outbox), (SELECT place FROM outbox_swept)) AS place) AS latest
  ) AS following
  WHERE outbox.id = following.id;
  GET DIAGNOSTICS numbered = ROW_COUNT;
  RETURN numbered;
END
$$;
