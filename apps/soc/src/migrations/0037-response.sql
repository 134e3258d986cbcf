-- Up Migration
-- `action`: a single action outside of a playbook, such as an isolation by its own route.
ALTER TABLE approvals
  DROP CONSTRAINT approvals_kind_check,
  ADD CONSTRAINT approvals_kind_check CHECK (kind IN ('playbook', 'step', 'request', 'action')),
  -- Everyone who counts as a requester: under four eyes none of them decides. Empty for approvals of earlier
  -- releases.
  ADD COLUMN requesters text[] NOT NULL DEFAULT '{}';

ALTER TABLE executions
  ADD COLUMN requesters text[] NOT NULL DEFAULT '{}',
  -- What the approval showed, step by step. A critical step with a different effect requests a new approval.
  ADD COLUMN approved_effects jsonb,
  -- Its workers failed too often: only its compensation still runs.
  ADD COLUMN abandoned boolean NOT NULL DEFAULT false;

ALTER TABLE automations
  ADD COLUMN authors text[] NOT NULL DEFAULT '{}',
  -- Whether the caller who bound it had soar:execute: only then it may start a critical playbook.
  ADD COLUMN may_execute boolean NOT NULL DEFAULT false;
UPDATE automations SET authors = ARRAY[created_by], may_execute = EXISTS (
  SELECT FROM users WHERE username = created_by AND role IN ('admin', 'tier3', 'responder'));

ALTER TABLE playbooks ADD COLUMN inputs jsonb NOT NULL DEFAULT '[]';
UPDATE playbook_versions SET playbook = jsonb_build_object('inputs', '[]'::jsonb) || playbook;

-- The idempotency key of the step that created a report: a repeated step finds its report.
ALTER TABLE reports ADD COLUMN key text UNIQUE;
