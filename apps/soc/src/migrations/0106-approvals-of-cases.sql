-- Up Migration
-- An open approval of one of the cases. Row-level security hides most approvals from a session of some sites,
-- but an open one blocks their case as well. The caller has already read the cases.
CREATE FUNCTION find_open_approval(case_ids uuid[])
  RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  RETURN (
    SELECT id FROM approvals
    WHERE case_id = ANY (case_ids) AND status = 'pending' AND expires_at > clock_timestamp()
    ORDER BY requested_at, id LIMIT 1
  );
REVOKE ALL ON FUNCTION find_open_approval(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_open_approval(uuid[]) TO soc_app, soc_site;
