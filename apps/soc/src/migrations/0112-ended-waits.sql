-- Up Migration
-- When the agent of a request stopped waiting. The request stays open until it expires; the worker then clears the time and
-- records the expiry. It is null for requests that timed out under an earlier release, whose expiry is recorded already.
ALTER TABLE approvals ADD COLUMN wait_ended_at timestamptz(3);
