-- Up Migration
-- When the agent of a request stopped waiting. The request stays open until it expires; the worker then clears the time and
-- records the expiry. It is null for requests that timed out under an earlier release, whose expiry is recorded already.
ALTER TABLE approvals ADD COLUMN wait_ended_at timestamptz(3);
CREATE OR REPLACE FUNCTION find_open_approval(case_ids uuid[])
  RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN (
    SELECT id FROM approvals
    WHERE case_id = ANY (case_ids) AND (status = 'pending' OR (kind = 'request' AND status = 'timeout'))
      AND expires_at > clock_timestamp()
    ORDER BY requested_at, id LIMIT 1
  );
