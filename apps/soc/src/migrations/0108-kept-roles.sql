-- Up Migration
-- A record keeps its roles in every sharing mode. NOT VALID, because existing rows already match.
ALTER TABLE hunts
  DROP CONSTRAINT hunts_check,
  ADD CONSTRAINT hunts_check CHECK (sharing_mode <> 'roles' OR cardinality(shared_with_roles) > 0) NOT VALID;
ALTER TABLE detection_rules
  DROP CONSTRAINT detection_rules_check2,
  ADD CONSTRAINT detection_rules_check2 CHECK (sharing_mode <> 'roles' OR cardinality(shared_with_roles) > 0) NOT VALID;
ALTER TABLE views
  DROP CONSTRAINT views_check,
  ADD CONSTRAINT views_check CHECK (sharing_mode <> 'roles' OR cardinality(shared_with_roles) > 0) NOT VALID;
