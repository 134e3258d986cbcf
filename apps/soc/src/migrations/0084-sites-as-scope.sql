-- Up Migration
-- The sites of a user or a key as [{"id", "name"}]; null for all sites. A site is never renamed.
ALTER TABLE users ADD COLUMN sites jsonb;
ALTER TABLE api_keys ADD COLUMN sites jsonb;

-- The role for requests of callers with some sites. Unlike soc_app it sees a row only through a policy.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'soc_site') THEN
    CREATE ROLE soc_site NOLOGIN;
  END IF;
EXCEPTION
  -- Roles belong to the whole server: another database may be creating the same one concurrently.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('GRANT soc_site TO %I', current_user);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO soc_site', current_schema());
END
$$;
-- The logins that the operator has given to services.
DO $$
DECLARE
  login name;
BEGIN
  FOR login IN SELECT rolname FROM pg_auth_members JOIN pg_roles ON pg_roles.oid = member
    WHERE roleid = 'soc_app'::regrole AND rolname <> current_user
  LOOP
    EXECUTE format('GRANT soc_site TO %I', login);
  END LOOP;
END
$$;

-- For a role with a policy, even an always true one, the planner cannot use the statistics of the table. The
-- policy all_sites (0090) is for owners who may not do this.
DO $$
BEGIN
  IF NOT (SELECT rolbypassrls FROM pg_roles WHERE rolname = 'soc_app') THEN
    ALTER ROLE soc_app BYPASSRLS;
  END IF;
EXCEPTION
  -- The latter: another database does it concurrently.
  WHEN insufficient_privilege OR internal_error THEN NULL;
END
$$;

-- The texts with which records name the sites of this request: ids and names.
CREATE FUNCTION request_sites() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(current_setting('soc.sites', true), '{}')::text[] $$;

-- What a request of any caller needs: the own account, sites, and the traces of a change.
CREATE POLICY some_sites ON sites FOR SELECT TO soc_site
  USING (id::text = ANY ((SELECT request_sites())::text[]));
GRANT SELECT ON sites TO soc_site;
CREATE POLICY some_sites ON audit_log FOR INSERT TO soc_site WITH CHECK (true);
GRANT INSERT ON audit_log TO soc_site;
CREATE POLICY some_sites ON outbox FOR INSERT TO soc_site WITH CHECK (true);
GRANT INSERT ON outbox TO soc_site;
