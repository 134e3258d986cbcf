-- Up Migration
-- The fields as sent. Null for entries of earlier releases. The columns actor and timestamp stay those of the
-- platform.
ALTER TABLE case_custody ADD COLUMN sent jsonb;
