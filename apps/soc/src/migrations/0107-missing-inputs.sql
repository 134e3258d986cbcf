-- Up Migration
-- The required inputs that a request for a critical playbook left out: `name`, `type` and `description` of each. The former
-- release writes none, and its replay of an approval that has some is refused.
ALTER TABLE approvals ADD COLUMN missing_inputs jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(missing_inputs) = 'array');
