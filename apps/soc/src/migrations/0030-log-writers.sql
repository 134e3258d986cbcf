-- Up Migration
-- A writer is one process, not one machine. With a session it holds an advisory lock while it lives, so that
-- its end is known at once; without one, it ends with its lease.
ALTER TABLE log_writers ADD COLUMN has_session boolean NOT NULL DEFAULT false;
