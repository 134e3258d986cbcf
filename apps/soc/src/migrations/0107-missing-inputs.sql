-- Up Migration
-- The required inputs that a request for a critical playbook omitted: `name`, `type` and `description` of
-- each. The previous release writes none, and its replay of an approval with missing inputs is refused.
ALTER TABLE approvals ADD COLUMN missing_inputs jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(missing_inputs) = 'array');
