-- Up Migration
-- Endpoints have a site; an action belongs to its endpoint.
GRANT SELECT, INSERT, UPDATE ON edr_endpoints, edr_actions TO soc_site;
CREATE POLICY some_sites ON edr_endpoints TO soc_site USING (site = ANY ((SELECT request_sites())::text[]));
CREATE POLICY some_sites ON edr_actions TO soc_site
  USING (EXISTS (SELECT FROM edr_endpoints WHERE edr_endpoints.id = endpoint_id));

-- The site of the single endpoint or device of an approval. Null for playbooks, steps and free-text requests,
-- which may concern any site: only callers of all sites see those.
ALTER TABLE approvals ADD COLUMN site text;
GRANT SELECT, INSERT, UPDATE ON approvals TO soc_site;
CREATE POLICY some_sites ON approvals TO soc_site USING (site = ANY ((SELECT request_sites())::text[]));
GRANT SELECT, INSERT ON approval_votes TO soc_site;
CREATE POLICY some_sites ON approval_votes TO soc_site
  USING (EXISTS (SELECT FROM approvals WHERE approvals.id = approval_id));

-- Devices name their site by id. Certificates and attestations belong to their device; a session of some
-- sites sees the catalog firmware of its devices.
GRANT SELECT, UPDATE ON devices, device_certificates TO soc_site;
CREATE POLICY some_sites ON devices TO soc_site USING (site::text = ANY ((SELECT request_sites())::text[]));
CREATE POLICY some_sites ON device_certificates TO soc_site
  USING (EXISTS (SELECT FROM devices WHERE devices.id = device_id));
GRANT SELECT ON attestations, firmware TO soc_site;
CREATE POLICY some_sites ON attestations TO soc_site
  USING (EXISTS (SELECT FROM devices WHERE devices.id = device_id));
CREATE POLICY some_sites ON firmware TO soc_site
  USING (EXISTS (SELECT FROM devices WHERE devices.firmware_hash = hash));
