import Type, { type Static } from "typebox";

const closed = { additionalProperties: false } as const;
const Word = Type.String({ minLength: 1, maxLength: 200 });
const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const MAX_PCRS = 24;
const MAX_COMPONENTS = 2000;
const MAX_SLOTS = 16;
const MAX_TEXT = 400_000;
const MAX_UPTIME_MS = Number.MAX_SAFE_INTEGER;

/** A TPM 2.0 quote over the nonce. */
const TpmAnswer = Type.Object(
  {
    request_id: Word,
    kind: Type.Literal("tpm"),
    quote: Type.String({ maxLength: 1000, description: "TPMS_ATTEST, base64" }),
    signature: Type.String({ maxLength: 1000, description: "TPMT_SIGNATURE, base64" }),
    pcrs: Type.Record(Type.String({ pattern: "^(1?[0-9]|2[0-3])$" }), Digest, { maxProperties: MAX_PCRS }),
  },
  closed,
);

/** A measurement that the device signed itself, which is only as trustworthy as its software. */
const SoftwareAnswer = Type.Object(
  {
    request_id: Word,
    kind: Type.Literal("software"),
    measurement: Type.String({ maxLength: MAX_TEXT, description: "the measurement as JSON; this text is signed" }),
    signature: Type.String({
      maxLength: 200,
      description: "ECDSA P-256 with SHA-256 with the device's key: r and s of 32 bytes each, base64",
    }),
    certificate: Type.String({ maxLength: 10_000, description: "of the device, PEM" }),
  },
  closed,
);

export const AttestationAnswer = Type.Union([TpmAnswer, SoftwareAnswer]);
export type AttestationAnswer = Static<typeof AttestationAnswer>;
export type TpmAnswer = Static<typeof TpmAnswer>;
export type SoftwareAnswer = Static<typeof SoftwareAnswer>;

/** The content of a software measurement. */
export const Measurement = Type.Object(
  {
    device_id: Word,
    request_id: Word,
    nonce: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    firmware: Type.Object({ version: Word, hash: Digest }, closed),
    boot: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 100, description: "random, unique per boot" }),
        uptime_ms: Type.Integer({ minimum: 0, maximum: MAX_UPTIME_MS }),
      },
      closed,
    ),
    slots: Type.Array(
      Type.Object({ name: Word, is_booted: Type.Boolean(), hash: Type.Union([Digest, Type.Null()]) }, closed),
      { maxItems: MAX_SLOTS },
    ),
    components: Type.Array(Type.Object({ name: Word, version: Word }, closed), { maxItems: MAX_COMPONENTS }),
  },
  closed,
);
export type Measurement = Static<typeof Measurement>;
