-- Up Migration
-- Where people are notified.
CREATE TABLE notification_channels (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  kind text NOT NULL CHECK (kind IN ('webhook', 'email', 'chat')),
  -- Addresses and secrets as used. The API accepts them and never returns them.
  settings jsonb NOT NULL CHECK (jsonb_typeof(settings) = 'object'),
  -- Types of events such as approval.requested, or all types of a noun such as alert.*
  events text[] NOT NULL CHECK (cardinality(events) <= 100),
  enabled boolean NOT NULL,
  created_by text NOT NULL,
  -- Milliseconds, as in the service, because a page's cursor must name the exact time of a row.
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX notification_channels_created_at_idx ON notification_channels (created_at, id);

CREATE TABLE notification_deliveries (
  -- Also the idempotency key for the receiver: the same at every attempt.
  id uuid PRIMARY KEY,
  channel_id uuid NOT NULL REFERENCES notification_channels ON DELETE CASCADE,
  -- The event of the notification; a channel gets each event once.
  event_id text,
  type text NOT NULL,
  message jsonb NOT NULL CHECK (jsonb_typeof(message) = 'object'),
  status text NOT NULL CHECK (status IN ('queued', 'sent', 'recorded', 'dead')),
  attempts integer NOT NULL CHECK (attempts >= 0),
  next_attempt_at timestamptz(3) NOT NULL,
  last_error text,
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  UNIQUE (channel_id, event_id),
  CHECK ((status = 'queued') = (finished_at IS NULL))
);
CREATE INDEX notification_deliveries_due_idx ON notification_deliveries (next_attempt_at) WHERE status = 'queued';
CREATE INDEX notification_deliveries_created_at_idx ON notification_deliveries (created_at, id);
CREATE INDEX notification_deliveries_channel_id_idx ON notification_deliveries (channel_id, created_at, id);
CREATE INDEX notification_deliveries_finished_at_idx ON notification_deliveries (finished_at) WHERE status <> 'queued';

GRANT SELECT, INSERT, UPDATE, DELETE ON notification_channels, notification_deliveries TO soc_app;
