import { createHash, timingSafeEqual, X509Certificate } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { DeviceIdentity } from "../certificates/device-identity.ts";
import { type DeviceRow, isRevoked } from "../registry/device.ts";
import { createDevicesWriter } from "../registry/devices.store.ts";
import type { ActivateKeyRequest, ChallengeBody, RegisteredKeyBody, RegisterKeyRequest } from "./attestation.schema.ts";
import { firstAttestation } from "./attestation.ts";
import { createAttestedDevicesWriter } from "./attested-devices.store.ts";
import { type EndorsementTrust, findEndorsementFault, isOfOtherDevice } from "./endorsement.ts";
import { findAttestationKeyFault } from "./key-requirements.ts";
import { parseBase64 } from "./measurement.ts";
import { DIGEST_BYTES } from "./tpm/algorithms.ts";
import { makeCredential } from "./tpm/credential.ts";
import { computeName, marshalPublic, type PublicArea, parsePublic, toKeyObject } from "./tpm/public-area.ts";
import { createTpmBindingsWriter } from "./tpm-bindings.store.ts";

export interface AttestationKeysDeps {
  db: Kysely<Tables>;
  identity: Pick<DeviceIdentity, "require">;
  trust: EndorsementTrust;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Ids;
}
export type AttestationKeysService = ReturnType<typeof createAttestationKeysService>;

const CHALLENGE_MS = 5 * 60_000;

/**
 * Registers the attestation key of a TPM: the TPM decrypts a secret that is encrypted for its endorsement key and bound
 * to the name of the attestation key, which covers all its attributes.
 */
export function createAttestationKeysService({ db, identity, trust, audit, clock, ids }: AttestationKeysDeps) {
  function record(tx: Tx, device_id: string, action: string, details: object): Promise<void> {
    return audit.record(tx, { actor: device_id, action, subject_type: "device", subject_id: device_id, details });
  }

  /** Returns whether the TPM is trusted on first use, because the operator has not assigned it to the device. */
  async function bind(tx: Tx, device: Pick<DeviceRow, "id" | "name">, endorsement_name: string): Promise<boolean> {
    if (isOfOtherDevice(trust, endorsement_name, device.name)) {
      throw new Problem("conflict", "endorsement_key: the operator has named another TPM or device");
    }
    const binding = { endorsement_name, device_id: device.id, bound_at: clock.now() };
    const { rival, isNew, previous } = await createTpmBindingsWriter(tx).bind(binding);
    if (rival !== undefined) throw new Problem("conflict", "endorsement_key: the TPM belongs to another device");
    if (previous !== undefined) await record(tx, device.id, "device.tpm_changed", { endorsement_name, previous });
    return isNew && !trust.devices?.has(endorsement_name);
  }

  return {
    /** Returns a secret that only the TPM with both keys can decrypt. */
    async register(fingerprint: string, request: RegisterKeyRequest): Promise<ChallengeBody> {
      const device_id = await identity.require(fingerprint);
      const endorsementKey = readKey("endorsement_key", request.endorsement_key);
      const attestationKey = readKey("attestation_key", request.attestation_key);
      const chain = (request.endorsement_certificates ?? []).map(readCertificate);
      const endorsementFault = findEndorsementFault(endorsementKey, chain, trust, clock.now());
      if (endorsementFault) throw invalidField("endorsement_key", endorsementFault);
      const keyFault = findAttestationKeyFault(attestationKey);
      if (keyFault) throw invalidField("attestation_key", keyFault);
      const content = ids.secret(DIGEST_BYTES);
      const name = computeName(attestationKey);
      const { credentialBlob, secret } = makeCredential(endorsementKey, name, content, ids.secret(DIGEST_BYTES));
      const expires_at = new Date(clock.now().getTime() + CHALLENGE_MS);
      await createAttestedDevicesWriter(db).challenge({
        device_id,
        endorsement_name: computeName(endorsementKey).toString("hex"),
        attestation_key: marshalPublic(attestationKey),
        secret_hash: hashSecret(content),
        expires_at,
      });
      const encode = (bytes: Buffer) => bytes.toString("base64");
      return { credential_blob: encode(credentialBlob), secret: encode(secret), expires_at };
    },

    /** Activates the key. The device then attests only with this key. */
    async activate(fingerprint: string, { secret }: ActivateKeyRequest): Promise<RegisteredKeyBody> {
      const device_id = await identity.require(fingerprint);
      // Delete the challenge before comparing, even for a wrong secret, to prevent guessing.
      const challenge = await createAttestedDevicesWriter(db).takeChallenge(device_id, clock.now());
      const given = parseBase64(secret) ?? Buffer.alloc(0);
      if (!challenge || !isEqual(hashSecret(given), challenge.secret_hash)) {
        throw new Problem("unauthenticated", "secret: does not match an open challenge", { field: "secret" });
      }
      const { endorsement_name, attestation_key } = challenge;
      const attestation_key_name = computeName(parsePublic(attestation_key)).toString("hex");
      await db.transaction().execute(async (tx) => {
        const device = await createDevicesWriter(tx).lock(ALL_SITES, device_id);
        if (!device || isRevoked(device)) throw new Problem("conflict", "certificate: its device has been revoked");
        const attested = createAttestedDevicesWriter(tx);
        const known = await attested.lock(device_id, firstAttestation(device_id, clock.now()));
        if (known.endorsement_name !== null && known.endorsement_name !== endorsement_name) {
          throw new Problem("conflict", "endorsement_key: the device has another TPM; enrol it again");
        }
        const is_first_use = await bind(tx, device, endorsement_name);
        await attested.setKeys(device_id, { endorsement_name, attestation_key });
        await record(tx, device_id, "device.key_activated", { endorsement_name, attestation_key_name, is_first_use });
      });
      return { attestation_key_name };
    },
  };
}

function hashSecret(secret: Uint8Array): string {
  return createHash("sha256").update(secret).digest("hex");
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function readKey(field: "endorsement_key" | "attestation_key", text: string): PublicArea {
  const bytes = parseBase64(text);
  if (!bytes) throw invalidField(field, "must be base64");
  try {
    const area = parsePublic(bytes);
    toKeyObject(area);
    return area;
  } catch (error) {
    if (error instanceof Problem) throw invalidField(field, error.message, { cause: error });
    throw error;
  }
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw invalidField("endorsement_certificates", "must be certificates as PEM", { cause });
  }
}
