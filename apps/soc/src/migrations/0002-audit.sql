-- Up Migration
-- The role of the service. Only migrations run as the owner.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'soc_app') THEN
    CREATE ROLE soc_app NOLOGIN;
  END IF;
EXCEPTION
  -- Roles belong to the whole server: another database may be creating the same one concurrently.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('GRANT soc_app TO %I', current_user);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO soc_app', current_schema());
END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON users TO soc_app;

-- Records who changed what. Nobody may edit it, including the service.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  at timestamptz(3) NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_at_idx ON audit_log (at DESC, id DESC);
CREATE INDEX audit_log_subject_id_idx ON audit_log (subject_id, at DESC, id DESC);
CREATE INDEX audit_log_actor_idx ON audit_log (actor, at DESC, id DESC);
CREATE INDEX audit_log_action_idx ON audit_log (action, at DESC, id DESC);
GRANT SELECT, INSERT ON audit_log TO soc_app;

-- Events for readers. A reader takes only rows whose transaction is older than every running one, so that a
-- row that commits late is never skipped.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  type text NOT NULL,
  subject_id text NOT NULL,
  data jsonb NOT NULL
);
CREATE INDEX outbox_xid_idx ON outbox (xid, id);
GRANT SELECT, INSERT, DELETE ON outbox TO soc_app;
