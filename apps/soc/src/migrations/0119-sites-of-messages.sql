-- Up Migration
-- The sites whose records an answer may contain; null for all sites, and for a message of an earlier release.
ALTER TABLE chat_messages ADD COLUMN sites text[];
