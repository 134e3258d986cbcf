-- Up Migration
-- The people who started something, without mere authors of a playbook; null for rows of the former release.
ALTER TABLE approvals ADD COLUMN starters text[];
ALTER TABLE executions ADD COLUMN starters text[];

-- The owners and the creators of API keys. A session of some sites may not read keys, but must not decide about
-- what its own key requested.
CREATE FUNCTION find_key_people(names text[])
  RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT person FROM api_keys, unnest(ARRAY[owner, created_by]) AS person WHERE name = ANY (names);
END;
REVOKE ALL ON FUNCTION find_key_people(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_key_people(text[]) TO soc_app, soc_site;

-- Who created, enabled or reset an account in the last 30 days, and was not vouched out of it since. Read from the
-- audit log, which the service cannot change.
CREATE FUNCTION find_account_links(usernames text[])
  RETURNS TABLE (account text, changed_by text, changed_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT changed.subject_id, changed.actor, max(changed.at)
  FROM audit_log AS changed
  WHERE changed.subject_type = 'user' AND changed.at > now() - interval '30 days' AND changed.actor <> changed.subject_id
    AND (changed.subject_id = ANY (usernames) OR changed.actor = ANY (usernames))
    AND (changed.action IN ('user.created', 'factor.reset') OR (changed.action = 'user.updated'
      AND (changed.details ? 'password_changed' OR changed.details->'disabled' = 'false'::jsonb)))
    AND NOT EXISTS (SELECT FROM audit_log AS vouched WHERE vouched.subject_type = 'user'
      AND vouched.subject_id = changed.subject_id AND vouched.action = 'user.vouched' AND vouched.at >= changed.at)
  GROUP BY changed.subject_id, changed.actor
  ORDER BY max(changed.at) DESC, changed.subject_id, changed.actor;
END;
REVOKE ALL ON FUNCTION find_account_links(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_account_links(text[]) TO soc_app, soc_site;
