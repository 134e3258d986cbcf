-- Up Migration
-- The sites of the sender as [{"id", "name"}]; null if it may send for all. A replay stores the event for one
-- of them.
ALTER TABLE dead_letters ADD COLUMN sites jsonb;
