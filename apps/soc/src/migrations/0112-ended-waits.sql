-- Up Migration
-- When the agent of a request stopped waiting. The request stays open until it expires; the worker then
-- clears the time and records the expiry. Null for requests that timed out under an earlier release, whose
-- expiry is already recorded.
ALTER TABLE approvals ADD COLUMN wait_ended_at timestamptz(3);
