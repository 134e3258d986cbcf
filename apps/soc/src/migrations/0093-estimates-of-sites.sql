-- Up Migration
-- The same rows as before. For an unknown array, PostgreSQL estimates that half a per cent of the cases have
-- no other sites, and therefore collects and sorts instead of reading in list order. For "is not null" it
-- estimates nearly every row. The stores additionally compare the sites as constants, which it can estimate:
-- decision 0066.
ALTER POLICY some_sites ON alerts
  USING (nullif(site = ANY ((SELECT request_sites())::text[]), false) IS NOT NULL);
ALTER POLICY some_sites ON cases
  USING (nullif(sites <@ (SELECT request_sites())::text[] AND sites <> '{}', false) IS NOT NULL);

CREATE OR REPLACE VIEW soc_site.alerts AS SELECT * FROM alerts
  WHERE nullif(site = ANY ((SELECT request_sites())::text[]), false) IS NOT NULL
  WITH CASCADED CHECK OPTION;
CREATE OR REPLACE VIEW soc_site.cases AS SELECT * FROM cases
  WHERE nullif(sites <@ (SELECT request_sites())::text[] AND sites <> '{}', false) IS NOT NULL
  WITH CASCADED CHECK OPTION;

-- What a search of cases also reads. With the policies of these tables, each comment was compared with its
-- case before the word index was used. Both views belong to the owner, like those of 0091, and the one of
-- soc_site checks for visible cases; soc_site has no right to the other one.
CREATE VIEW case_words AS
  SELECT case_id, search FROM case_observables UNION ALL SELECT case_id, search FROM case_comments;
GRANT SELECT ON case_words TO soc_app;
CREATE VIEW soc_site.case_words AS SELECT case_id, search FROM case_words
  WHERE EXISTS (SELECT FROM soc_site.cases WHERE cases.id = case_id);
GRANT SELECT ON soc_site.case_words TO soc_site;
