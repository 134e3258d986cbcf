-- Up Migration
-- When an automation last started its playbook in each site; '' for alerts without a site. The cooldown of one site does
-- not delay the response in another.
CREATE TABLE automation_cooldowns (
  automation_id uuid NOT NULL REFERENCES automations ON DELETE CASCADE,
  site text NOT NULL,
  last_fired_at timestamptz(3) NOT NULL,
  PRIMARY KEY (automation_id, site)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON automation_cooldowns TO soc_app;
CREATE POLICY all_sites ON automation_cooldowns TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE automation_cooldowns ENABLE ROW LEVEL SECURITY;
