import Type, { type Static } from "typebox";
import { Time } from "../../foundation/schema/fields.schema.ts";

const closed = { additionalProperties: false } as const;

export const AttestPath = Type.Object({ id: Type.String() });

/** A request to attest. A device has one open request at a time. */
export const AttestationRequestBody = Type.Object(
  {
    request_id: Type.String(),
    device_id: Type.String(),
    asked_at: Time,
    deadline: Time,
  },
  { title: "AttestationRequest" },
);
export type AttestationRequestBody = Static<typeof AttestationRequestBody>;

const word = Type.String({ minLength: 1, maxLength: 200 });
const digest = Type.String({ pattern: "^[0-9a-f]{64}$" });

export const FirmwarePath = Type.Object({ hash: digest });

/** An entry of the firmware catalog; its hash is in the path. */
export const StoreFirmwareRequest = Type.Object(
  {
    vendor: word,
    product: word,
    version: word,
    known_good: Type.Boolean(),
    pcrs: Type.Optional(
      Type.Record(Type.String(), digest, {
        additionalProperties: false,
        maxProperties: 24,
        description: "expected values of PCRs of the SHA-256 bank, by their numbers",
      }),
    ),
    sbom_components: Type.Optional(Type.Array(Type.Object({ name: word, version: word }, closed), { maxItems: 2000 })),
  },
  { title: "StoreFirmwareRequest", ...closed },
);
export type StoreFirmwareRequest = Static<typeof StoreFirmwareRequest>;

const Base64 = Type.String({ minLength: 4, maxLength: 1000 });

/** The request of a device with a TPM to register its attestation key. */
export const RegisterKeyRequest = Type.Object(
  {
    endorsement_key: Type.String({ ...Base64, description: "TPM2B_PUBLIC, base64" }),
    attestation_key: Type.String({ ...Base64, description: "TPM2B_PUBLIC, base64" }),
    endorsement_certificates: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 6000 }), {
        maxItems: 5,
        description: "PEM; the certificate of the key first, then those of its issuers",
      }),
    ),
  },
  closed,
);
export type RegisterKeyRequest = Static<typeof RegisterKeyRequest>;

export const ChallengeBody = Type.Object({
  credential_blob: Type.String({ description: "TPM2B_ID_OBJECT, base64" }),
  secret: Type.String({ description: "TPM2B_ENCRYPTED_SECRET, base64" }),
  expires_at: Time,
});
export type ChallengeBody = Static<typeof ChallengeBody>;

export const ActivateKeyRequest = Type.Object(
  { secret: Type.String({ ...Base64, description: "output of TPM2_ActivateCredential, base64" }) },
  closed,
);
export type ActivateKeyRequest = Static<typeof ActivateKeyRequest>;

export const RegisteredKeyBody = Type.Object({ attestation_key_name: Type.String() });
export type RegisteredKeyBody = Static<typeof RegisteredKeyBody>;
