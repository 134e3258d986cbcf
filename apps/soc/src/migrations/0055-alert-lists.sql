-- Up Migration, outside a transaction
-- The list by risk; an alert without a risk sorts below all others.
DROP INDEX CONCURRENTLY IF EXISTS alerts_risk_idx;
CREATE INDEX CONCURRENTLY alerts_risk_idx ON alerts (coalesce(risk_score, -1), created_at, id);
-- The alerts of an address. Hosts and users have filter keys.
DROP INDEX CONCURRENTLY IF EXISTS alerts_addresses_idx;
CREATE INDEX CONCURRENTLY alerts_addresses_idx ON alerts
  USING gin (jsonb_path_query_array(entities, '$.addresses[*].name'));
