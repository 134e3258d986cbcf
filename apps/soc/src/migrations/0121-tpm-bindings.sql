-- Up Migration
-- The device that each TPM belongs to. It survives a new enrolment, which forgets the keys of the device, so that another
-- TPM is noticed. Of devices that already share a TPM, the one that was enrolled first has it; the next attestation of
-- the others is untrusted and names it.
CREATE TABLE tpm_bindings (
  endorsement_name text PRIMARY KEY CHECK (endorsement_name ~ '^000b[0-9a-f]{64}$'),
  device_id uuid NOT NULL REFERENCES devices (id),
  bound_at timestamptz(3) NOT NULL
);
CREATE INDEX tpm_bindings_device_id_idx ON tpm_bindings (device_id);

INSERT INTO tpm_bindings (endorsement_name, device_id, bound_at)
SELECT DISTINCT ON (endorsement_name) endorsement_name, device_id, now()
FROM attested_devices JOIN devices ON devices.id = device_id
WHERE endorsement_name IS NOT NULL AND revoked_at IS NULL
ORDER BY endorsement_name, enrolled_at, devices.id;

GRANT SELECT, INSERT, UPDATE, DELETE ON tpm_bindings TO soc_app;
CREATE POLICY all_sites ON tpm_bindings TO soc_app USING (true) WITH CHECK (true);
ALTER TABLE tpm_bindings ENABLE ROW LEVEL SECURITY;
