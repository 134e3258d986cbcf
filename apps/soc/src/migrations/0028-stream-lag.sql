-- The position at which the stream fell behind; null while it keeps up. Set together with its alert.
ALTER TABLE detection_stream ADD COLUMN behind_since timestamptz(3);
