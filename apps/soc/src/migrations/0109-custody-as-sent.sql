-- Up Migration
-- What the sender wrote, with fields of its own. Null for entries of former releases. The columns actor and timestamp stay those
-- of the platform.
ALTER TABLE case_custody ADD COLUMN sent jsonb;
