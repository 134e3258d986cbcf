-- Up Migration
-- The approval that a change waits for. Until then an exception has ended, firmware is not known to be good, and a
-- channel is disabled, also for the former release. No reference: old approvals are deleted.
ALTER TABLE detection_exceptions ADD COLUMN approval_id uuid, ADD COLUMN held_until timestamptz(3);
ALTER TABLE firmware ADD COLUMN approval_id uuid;
ALTER TABLE notification_channels ADD COLUMN approval_id uuid;
