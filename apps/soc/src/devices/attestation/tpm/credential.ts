import { constants, createCipheriv, createECDH, createHash, createHmac, publicEncrypt } from "node:crypto";
import { invalidField } from "@kit/problem";
import { DIGEST_BYTES } from "./algorithms.ts";
import { writeSized, writeUint32 } from "./byte-reader.ts";
import { type PublicArea, padCoordinate, toKeyObject } from "./public-area.ts";

/** Data that only the TPM with the endorsement key and the named key can decrypt. */
export interface Credential {
  /** TPM2B_ID_OBJECT. */
  credentialBlob: Buffer;
  /** TPM2B_ENCRYPTED_SECRET. */
  secret: Buffer;
}

const AES_BYTES = 16;
const LABEL = "IDENTITY";

/**
 * Implements TPM2_MakeCredential in software (TPM 2.0 Library, Part 1, section 24). The seed is for RSA endorsement
 * keys and must be random; for ECC keys a key exchange determines it.
 */
export function makeCredential(
  endorsementKey: PublicArea,
  name: Uint8Array,
  content: Uint8Array,
  seed: Uint8Array,
): Credential {
  if (!endorsementKey.symmetric) throw invalidField("public.symmetric", "must be AES-128-CFB for a storage key");
  if (content.length === 0 || content.length > DIGEST_BYTES)
    throw invalidField("content", `must have 1 to ${DIGEST_BYTES} bytes`);
  const shared = shareSeed(endorsementKey, seed);
  const key = kdfa(shared.seed, "STORAGE", name, AES_BYTES);
  const cipher = createCipheriv("aes-128-cfb", key, Buffer.alloc(AES_BYTES));
  const identity = Buffer.concat([cipher.update(writeSized(content)), cipher.final()]);
  const integrityKey = kdfa(shared.seed, "INTEGRITY", Buffer.alloc(0), DIGEST_BYTES);
  const integrity = createHmac("sha256", integrityKey).update(identity).update(name).digest();
  const credentialBlob = writeSized(Buffer.concat([writeSized(integrity), identity]));
  return { credentialBlob, secret: writeSized(shared.secret) };
}

function shareSeed(endorsementKey: PublicArea, seed: Uint8Array): { seed: Uint8Array; secret: Buffer } {
  const { key } = endorsementKey;
  const publicKey = toKeyObject(endorsementKey);
  if (key.type === "rsa") {
    if (seed.length !== DIGEST_BYTES) throw invalidField("seed", `must have ${DIGEST_BYTES} bytes`);
    // The label includes its terminating zero (Part 1, B.4).
    const padding = {
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: "sha256",
      oaepLabel: Buffer.from(`${LABEL}\0`),
    };
    return { seed, secret: publicEncrypt({ key: publicKey, ...padding }, seed) };
  }
  const ephemeral = createECDH("prime256v1");
  const point = ephemeral.generateKeys();
  const [x, y] = [point.subarray(1, 1 + DIGEST_BYTES), point.subarray(1 + DIGEST_BYTES)];
  const ownX = padCoordinate(key.x);
  const z = ephemeral.computeSecret(Buffer.concat([Buffer.from([4]), ownX, padCoordinate(key.y)]));
  return { seed: kdfe(z, x, ownX), secret: Buffer.concat([writeSized(x), writeSized(y)]) };
}

/** Computes KDFa (Part 1, 11.4.10.2) for one block of SHA-256. */
function kdfa(key: Uint8Array, label: string, context: Uint8Array, bytes: number): Buffer {
  const block = createHmac("sha256", key).update(writeUint32(1)).update(`${label}\0`).update(context);
  return block
    .update(writeUint32(8 * bytes))
    .digest()
    .subarray(0, bytes);
}

/** Computes KDFe (Part 1, 11.4.10.3) for one block of SHA-256. */
function kdfe(z: Uint8Array, partyU: Uint8Array, partyV: Uint8Array): Buffer {
  return createHash("sha256")
    .update(writeUint32(1))
    .update(z)
    .update(`${LABEL}\0`)
    .update(partyU)
    .update(partyV)
    .digest();
}
