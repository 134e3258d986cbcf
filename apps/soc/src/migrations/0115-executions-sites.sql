-- Up Migration
-- The sites in which an execution reads and acts; null for all, as every execution of an earlier release.
ALTER TABLE executions ADD COLUMN sites text[];
-- The permissions of the person who bound the playbook; null when they are not known.
ALTER TABLE automations ADD COLUMN permissions text[];
-- Each role that has soar:execute also has edr:manage, the only permission that steps need. An API key may have one alone.
UPDATE automations SET permissions = ARRAY['soar:execute', 'edr:manage']
  WHERE may_execute AND NOT EXISTS (SELECT FROM unnest(authors) AS author WHERE author LIKE 'key:%');
