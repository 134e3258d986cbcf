-- Up Migration
-- The attestation keys of a device and its answers so far.
CREATE TABLE attested_devices (
  device_id uuid PRIMARY KEY REFERENCES devices (id),
  -- When the next request is due.
  next_at timestamptz(3) NOT NULL,
  -- The names of the endorsement key and of the activated attestation key, and the latter key (TPM2B_PUBLIC).
  endorsement_name text CHECK (endorsement_name ~ '^000b[0-9a-f]{64}$'),
  attestation_key bytea,
  -- TPMS_CLOCK_INFO of the last genuine quote; the clock is text, because it has 64 bits.
  clock_info jsonb,
  boots jsonb NOT NULL DEFAULT '[]',
  -- The evidence that the key was copied.
  clone text,
  -- The ledger entry of the newest attestation.
  entry_hash text,
  CHECK ((endorsement_name IS NULL) = (attestation_key IS NULL))
);
CREATE INDEX attested_devices_next_at_idx ON attested_devices (next_at);

-- Keys that wait for the secret that only their TPM can decrypt.
CREATE TABLE attestation_challenges (
  device_id uuid PRIMARY KEY REFERENCES devices (id),
  endorsement_name text NOT NULL,
  attestation_key bytea NOT NULL,
  secret_hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX attestation_challenges_expires_at_idx ON attestation_challenges (expires_at);

-- Requests to attest: each ends once, answered or expired.
CREATE TABLE attestation_requests (
  id uuid PRIMARY KEY,
  device_id uuid NOT NULL REFERENCES devices (id),
  nonce text NOT NULL UNIQUE CHECK (nonce ~ '^[0-9a-f]{64}$'),
  asked_by text NOT NULL,
  asked_at timestamptz(3) NOT NULL,
  deadline timestamptz(3) NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'expired')),
  -- When it is sent next, how often it was sent, and when the device confirmed it.
  send_at timestamptz(3) NOT NULL,
  sends integer NOT NULL DEFAULT 0,
  received_at timestamptz(3),
  -- The judged answer: the evidence whose digest is in the ledger.
  answer text,
  ended_at timestamptz(3),
  attestation_id uuid REFERENCES attestations (id),
  CHECK ((status = 'open') = (ended_at IS NULL AND attestation_id IS NULL))
);
-- One at a time, so that two answers of one device cannot overtake each other.
CREATE UNIQUE INDEX attestation_requests_open_idx ON attestation_requests (device_id) WHERE status = 'open';
CREATE INDEX attestation_requests_send_at_idx ON attestation_requests (send_at) WHERE status = 'open' AND received_at IS NULL;
CREATE INDEX attestation_requests_deadline_idx ON attestation_requests (deadline) WHERE status = 'open';
CREATE INDEX attestation_requests_ended_at_idx ON attestation_requests (ended_at);
CREATE INDEX attestation_requests_attestation_id_idx ON attestation_requests (attestation_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON attested_devices, attestation_challenges, attestation_requests TO soc_app;
