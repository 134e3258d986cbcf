-- Up Migration
-- One instance judges 15 alerts a minute, four judge 30. An idle instance costs nothing.
ALTER TABLE agents ALTER COLUMN instances SET DEFAULT 4;
UPDATE agents SET instances = 4 WHERE instances = 1;
