-- Up Migration
-- Since when a channel has its address: an approval shows it and is valid for no other.
ALTER TABLE notification_channels ADD COLUMN address_set_at timestamptz(3) NOT NULL DEFAULT now();
UPDATE notification_channels SET address_set_at = updated_at;

-- Finished approvals are deleted after a while, together with their reminders.
CREATE INDEX approvals_over_idx ON approvals (expires_at, id) WHERE status <> 'pending';
ALTER TABLE approval_votes
  DROP CONSTRAINT approval_votes_approval_id_fkey,
  ADD FOREIGN KEY (approval_id) REFERENCES approvals ON DELETE CASCADE;
ALTER TABLE approval_reminders
  DROP CONSTRAINT approval_reminders_approval_id_fkey,
  ADD FOREIGN KEY (approval_id) REFERENCES approvals ON DELETE CASCADE;

CREATE INDEX edr_actions_settled_at_idx ON edr_actions (settled_at, id) WHERE settled_at IS NOT NULL;
ALTER TABLE edr_actions
  DROP CONSTRAINT edr_actions_ended_by_fkey,
  ADD FOREIGN KEY (ended_by) REFERENCES edr_actions ON DELETE SET NULL;

GRANT DELETE ON approvals, edr_actions TO soc_app;
