-- Up Migration
-- What a session of some sites reads and changes as `alerts` and `cases`: this schema has the name of its
-- role, so it comes first on the search path. PostgreSQL evaluates a policy before any operator that could
-- reveal a row by an error, and then uses neither the index nor the statistics of that operator. The
-- condition of a view is an ordinary one: see decision 0064. The policies stay on the tables and hide the
-- same rows from statements that do not use a view.
CREATE SCHEMA soc_site;
GRANT USAGE ON SCHEMA soc_site TO soc_site;

-- Each view has the condition of its policy and every column: a migration that adds one replaces the view.
CREATE VIEW soc_site.alerts AS SELECT * FROM alerts
  WHERE site = ANY ((SELECT request_sites())::text[])
  WITH CASCADED CHECK OPTION;
GRANT SELECT, INSERT, UPDATE ON soc_site.alerts TO soc_site;

CREATE VIEW soc_site.cases AS SELECT * FROM cases
  WHERE sites <@ (SELECT request_sites())::text[] AND sites <> '{}'
  WITH CASCADED CHECK OPTION;
GRANT SELECT, INSERT, UPDATE, DELETE ON soc_site.cases TO soc_site;

-- INSERT … ON CONFLICT DO UPDATE through a view finds rows that the view does not show, and could give them
-- another site.
CREATE FUNCTION refuse_other_sites() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE insufficient_privilege USING MESSAGE = 'the row belongs to another site';
END
$$;
CREATE TRIGGER alerts_keep_their_sites BEFORE UPDATE OF site ON alerts
  FOR EACH ROW WHEN (current_user = 'soc_site' AND (OLD.site = ANY (request_sites())) IS NOT TRUE)
  EXECUTE FUNCTION refuse_other_sites();
CREATE TRIGGER cases_keep_their_sites BEFORE UPDATE OF sites ON cases
  FOR EACH ROW WHEN (current_user = 'soc_site' AND (OLD.sites <@ request_sites() AND OLD.sites <> '{}') IS NOT TRUE)
  EXECUTE FUNCTION refuse_other_sites();
