-- Up Migration
-- What a device attests with, and what it has answered so far.
CREATE TABLE attested_devices (
  device_id uuid PRIMARY KEY REFERENCES devices (id),
  -- When it is asked next.
  next_at timestamptz(3) NOT NULL,
  -- The names of the endorsement key and of the attestation key that its TPM has activated, and that key (TPM2B_PUBLIC).
  endorsement_name text CHECK (endorsement_name ~ '^000b[0-9a-f]{64}$'),
  attestation_key bytea,
  -- TPMS_CLOCK_INFO of the last genuine quote; the clock is a text, because it has 64 bits.
  clock_info jsonb,
  boots jsonb NOT NULL DEFAULT '[]',
  -- Why the key is known to be copied.
  clone text,
  -- The ledger's entry of the newest attestation.
  entry_hash text,
  CHECK ((endorsement_name IS NULL) = (attestation_key IS NULL))
);
CREATE INDEX attested_devices_next_at_idx ON attested_devices (next_at);

-- Keys that wait for the secret that only their TPM can open.
CREATE TABLE attestation_challenges (
  device_id uuid PRIMARY KEY REFERENCES devices (id),
  endorsement_name text NOT NULL,
  attestation_key bytea NOT NULL,
  secret_hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX attestation_challenges_expires_at_idx ON attestation_challenges (expires_at);

-- Requests to attest: each ends answered or expired, once.
CREATE TABLE attestation_requests (
  id uuid PRIMARY KEY,
  device_id uuid NOT NULL REFERENCES devices (id),
  nonce text NOT NULL UNIQUE CHECK (nonce ~ '^[0-9a-f]{64}$'),
  asked_by text NOT NULL,
  asked_at timestamptz(3) NOT NULL,
  deadline timestamptz(3) NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'expired')),
  -- When it is sent next, how often it was sent, and when the device confirmed that it has it.
  send_at timestamptz(3) NOT NULL,
  sends integer NOT NULL DEFAULT 0,
  received_at timestamptz(3),
  -- The answer as it was judged: the evidence whose digest is in the ledger.
  answer text,
  ended_at timestamptz(3),
  attestation_id uuid REFERENCES attestations (id),
  CHECK ((status = 'open') = (ended_at IS NULL AND attestation_id IS NULL))
);
-- One at a time: two answers of one device cannot overtake each other.
CREATE UNIQUE INDEX attestation_requests_open_idx ON attestation_requests (device_id) WHERE status = 'open';
CREATE INDEX attestation_requests_send_at_idx ON attestation_requests (send_at) WHERE status = 'open' AND received_at IS NULL;
CREATE INDEX attestation_requests_deadline_idx ON attestation_requests (deadline) WHERE status = 'open';
CREATE INDEX attestation_requests_ended_at_idx ON attestation_requests (ended_at);
CREATE INDEX attestation_requests_attestation_id_idx ON attestation_requests (attestation_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON attested_devices, attestation_challenges, attestation_requests TO soc_app;
