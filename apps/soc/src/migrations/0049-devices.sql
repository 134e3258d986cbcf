-- Up Migration
-- Devices in the order of enrolment. "offline" is not stored, because it follows from last_seen.
CREATE TABLE devices (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  type text NOT NULL,
  -- A site with unrevoked devices cannot be deleted; revoked devices outlive it.
  site uuid REFERENCES sites (id) ON DELETE SET NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'quarantined', 'revoking', 'revoked')),
  firmware_version text,
  firmware_hash text,
  verdict text CHECK (verdict IN ('trusted', 'untrusted', 'stale', 'failed')),
  attested_at timestamptz(3),
  enrolled_at timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  revoked_by text,
  CHECK ((verdict IS NULL) = (attested_at IS NULL)),
  CHECK ((status IN ('revoking', 'revoked')) = (revoked_at IS NOT NULL AND revoked_by IS NOT NULL))
);
-- A successor may use the name of a revoked device.
CREATE UNIQUE INDEX devices_name_idx ON devices (lower(name)) WHERE status <> 'revoked';
CREATE INDEX devices_enrolled_at_idx ON devices (enrolled_at, id);
CREATE INDEX devices_site_idx ON devices (site);
CREATE INDEX devices_firmware_hash_idx ON devices (firmware_hash);
CREATE INDEX devices_revoked_at_idx ON devices (revoked_at) WHERE revoked_at IS NOT NULL;

-- Certificates of devices. One without a device is issued to be refused: it proves that the broker has the
-- newest list.
CREATE TABLE device_certificates (
  serial text PRIMARY KEY CHECK (serial ~ '^[0-9a-f]{32}$'),
  device_id uuid REFERENCES devices (id),
  fingerprint text NOT NULL UNIQUE,
  key_hash text NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  not_after timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  -- Whether a written revocation list contains it.
  is_listed boolean NOT NULL DEFAULT false,
  CHECK (device_id IS NOT NULL OR revoked_at IS NOT NULL)
);
CREATE INDEX device_certificates_device_id_idx ON device_certificates (device_id, issued_at DESC);
CREATE INDEX device_certificates_key_hash_idx ON device_certificates (key_hash);
CREATE INDEX device_certificates_not_after_idx ON device_certificates (not_after);
CREATE INDEX device_certificates_revoked_idx ON device_certificates (not_after) WHERE revoked_at IS NOT NULL;
CREATE INDEX device_certificates_unlisted_idx ON device_certificates (not_after) WHERE revoked_at IS NOT NULL AND NOT is_listed;

-- A code enrols one device once; only its digest is stored.
CREATE TABLE enrolment_codes (
  code_hash text PRIMARY KEY,
  device_id uuid REFERENCES devices (id),
  name text NOT NULL,
  type text NOT NULL,
  site uuid REFERENCES sites (id) ON DELETE CASCADE,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX enrolment_codes_expires_at_idx ON enrolment_codes (expires_at);
CREATE INDEX enrolment_codes_device_id_idx ON enrolment_codes (device_id);
CREATE INDEX enrolment_codes_site_idx ON enrolment_codes (site);

-- The newest revocation list. Its row is locked while a list is signed and written, so that no older list
-- replaces it.
CREATE TABLE revocation_list (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  number integer NOT NULL DEFAULT 0,
  signed_at timestamptz(3),
  next_update timestamptz(3)
);
INSERT INTO revocation_list DEFAULT VALUES;

CREATE TABLE firmware (
  id uuid PRIMARY KEY,
  vendor text NOT NULL,
  product text NOT NULL,
  version text NOT NULL,
  hash text NOT NULL UNIQUE,
  pcrs jsonb NOT NULL DEFAULT '{}',
  sbom_components jsonb NOT NULL DEFAULT '[]',
  known_good boolean NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX firmware_created_at_idx ON firmware (created_at, id);

CREATE TABLE attestations (
  id uuid PRIMARY KEY,
  device_id uuid NOT NULL REFERENCES devices (id),
  kind text NOT NULL CHECK (kind IN ('tpm', 'software')),
  verdict text NOT NULL CHECK (verdict IN ('trusted', 'untrusted', 'stale', 'failed')),
  reason text,
  firmware_hash text,
  at timestamptz(3) NOT NULL
);
CREATE INDEX attestations_at_idx ON attestations (at, id);
CREATE INDEX attestations_device_id_idx ON attestations (device_id, at);

GRANT SELECT, INSERT, UPDATE ON devices, firmware TO soc_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON attestations, device_certificates, enrolment_codes TO soc_app;
GRANT SELECT, UPDATE ON revocation_list TO soc_app;
