-- Up Migration
-- The sites of the content of a case, '' for content without one. An existing case is visible to callers of
-- all sites.
ALTER TABLE cases ADD COLUMN sites text[] NOT NULL DEFAULT '{""}';

-- Linking an alert to a case adds the alert's site. The case keeps the site when the alert leaves, because
-- texts about the alert stay.
CREATE FUNCTION add_site_to_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE cases SET sites = sites || coalesce(NEW.site, '')
    WHERE id = NEW.case_id AND NOT sites @> ARRAY[coalesce(NEW.site, '')];
  RETURN NULL;
END
$$;
CREATE TRIGGER alerts_bring_their_sites AFTER INSERT OR UPDATE OF case_id ON alerts
  FOR EACH ROW WHEN (NEW.case_id IS NOT NULL) EXECUTE FUNCTION add_site_to_case();

CREATE POLICY some_sites ON alerts TO soc_site
  USING (site = ANY ((SELECT request_sites())::text[]));
GRANT SELECT, INSERT, UPDATE ON alerts TO soc_site;

-- A change is stored before the values of its alerts; callers who see none of its alerts do not see it.
CREATE POLICY some_sites ON alert_bulk_values TO soc_site
  USING (EXISTS (SELECT FROM alerts WHERE alerts.id = alert_id));
CREATE POLICY some_sites ON alert_bulk_changes TO soc_site
  USING (EXISTS (SELECT FROM alert_bulk_values WHERE change_id = alert_bulk_changes.id)) WITH CHECK (true);
GRANT SELECT, INSERT ON alert_bulk_values TO soc_site;
GRANT SELECT, INSERT, UPDATE ON alert_bulk_changes TO soc_site;

-- A verdict on an alert is feedback on its rule if the rule exists.
CREATE POLICY some_sites ON detection_feedback FOR INSERT TO soc_site
  WITH CHECK (EXISTS (SELECT FROM alerts WHERE alerts.id = alert_id));
GRANT INSERT ON detection_feedback TO soc_site;
CREATE POLICY some_sites ON detection_rules FOR SELECT TO soc_site USING (id IS NOT NULL);
GRANT SELECT (id) ON detection_rules TO soc_site;

CREATE POLICY some_sites ON cases TO soc_site
  USING (sites <@ (SELECT request_sites())::text[] AND sites <> '{}');
GRANT SELECT, INSERT, UPDATE, DELETE ON cases TO soc_site;

-- Callers who see a case see its records.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['case_timeline', 'case_observables', 'case_evidence', 'case_comments', 'case_tasks',
      'case_item_versions'] LOOP
    EXECUTE format('CREATE POLICY some_sites ON %I TO soc_site
      USING (EXISTS (SELECT FROM cases WHERE cases.id = case_id))', name);
  END LOOP;
END
$$;
GRANT SELECT, INSERT ON case_timeline, case_evidence, case_item_versions TO soc_site;
GRANT SELECT, INSERT, UPDATE, DELETE ON case_observables, case_comments, case_tasks TO soc_site;
GRANT UPDATE (case_id, registered_in) ON case_evidence TO soc_site;
GRANT UPDATE (case_id) ON case_item_versions TO soc_site;
CREATE POLICY some_sites ON case_custody TO soc_site
  USING (EXISTS (SELECT FROM case_evidence WHERE case_evidence.id = evidence_id));
CREATE POLICY some_sites ON case_files TO soc_site
  USING (EXISTS (SELECT FROM case_evidence WHERE case_evidence.id = evidence_id));
GRANT SELECT, INSERT ON case_custody, case_files TO soc_site;

-- Not content of records: the digests of contents, which two sites may share, and the targets of all cases.
CREATE POLICY some_sites ON stored_files TO soc_site USING (sha256 IS NOT NULL);
GRANT SELECT, INSERT, UPDATE ON stored_files TO soc_site;
CREATE POLICY some_sites ON case_sla_targets FOR SELECT TO soc_site USING (severity IS NOT NULL);
GRANT SELECT ON case_sla_targets TO soc_site;

-- A change of a case appends to its chain and reads only the last hash of it.
CREATE POLICY some_sites ON ledger_entries TO soc_site
  USING (EXISTS (SELECT FROM cases WHERE cases.id = case_id));
GRANT SELECT (case_id, sequence, entry_hash), INSERT ON ledger_entries TO soc_site;
CREATE POLICY some_sites ON ledger_waiting FOR INSERT TO soc_site
  WITH CHECK (EXISTS (SELECT FROM cases WHERE cases.id = case_id));
GRANT INSERT ON ledger_waiting TO soc_site;

-- The history of a record and notifications about it are visible to those who see the record. The ids are
-- text: those of other subjects may be names.
CREATE POLICY some_sites_read ON audit_log FOR SELECT TO soc_site
  USING (CASE subject_type
    WHEN 'alert' THEN EXISTS (SELECT FROM alerts WHERE alerts.id = subject_id::uuid)
    WHEN 'case' THEN EXISTS (SELECT FROM cases WHERE cases.id = subject_id::uuid)
    ELSE false END);
GRANT SELECT ON audit_log TO soc_site;
CREATE POLICY some_sites ON inbox_items TO soc_site
  USING (CASE subject_type
    WHEN 'alert' THEN EXISTS (SELECT FROM alerts WHERE alerts.id = subject_id::uuid)
    WHEN 'case' THEN EXISTS (SELECT FROM cases WHERE cases.id = subject_id::uuid)
    ELSE false END);
GRANT SELECT, UPDATE (read_at) ON inbox_items TO soc_site;

-- PostgreSQL shows the statistics of a table with row-level security only to its owner, and the search plans
-- with them. A session of some sites gets none, because they contain words of all sites.
CREATE FUNCTION common_words(searched_schema text, searched_table text, searched_column text)
  RETURNS TABLE (element text, frequency real) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT element, frequency
    FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (element, frequency)
    WHERE schemaname = searched_schema AND tablename = searched_table AND attname = searched_column
      AND current_setting('role') <> 'soc_site'
  $$;
REVOKE ALL ON FUNCTION common_words(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION common_words(text, text, text) TO soc_app, soc_site;
