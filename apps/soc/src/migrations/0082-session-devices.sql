-- Up Migration
-- How a person names the device of a session; null in what a process of the release before writes.
ALTER TABLE sessions ADD COLUMN device_name text CHECK (length(device_name) BETWEEN 1 AND 100);
