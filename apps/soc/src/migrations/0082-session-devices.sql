-- Up Migration
-- The user-visible device of a session; null in rows of a process of the previous release.
ALTER TABLE sessions ADD COLUMN device_name text CHECK (length(device_name) BETWEEN 1 AND 100);
