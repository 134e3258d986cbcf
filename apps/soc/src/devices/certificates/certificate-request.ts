import "reflect-metadata";
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { invalidField } from "@kit/problem";
import { Pkcs10CertificateRequest } from "@peculiar/x509";

/** The part of a request that is used: the public key, re-encoded. Subject, extensions and attributes are ignored. */
export interface RequestedKey {
  /** SubjectPublicKeyInfo, as DER. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** Identifies the key in other certificates. */
  key_hash: string;
}

const PEM = /^\s*-----BEGIN CERTIFICATE REQUEST-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END CERTIFICATE REQUEST-----\s*$/;
const FIELD = "csr";
const SEQUENCE = 0x30;
const LONG_FORM = 0x80;
/** SubjectPublicKeyInfo of P-256 (RFC 5480). */
const KEY_BYTES = 91;

/** Parses a certificate request. Its signature proves that the sender has the private key. */
export async function parseCertificateRequest(pem: string): Promise<RequestedKey> {
  const [, base64] = PEM.exec(pem) ?? [];
  if (base64 === undefined) throw invalidField(FIELD, "must be one PKCS #10 certificate request as PEM");
  const request = decode(Buffer.from(base64, "base64"));
  const key = readKey(request);
  if (!(await isSelfSigned(request))) throw invalidField(FIELD, "must be signed by its own key");
  const publicKey = new Uint8Array(key.export({ type: "spki", format: "der" }));
  return { publicKey, key_hash: createHash("sha256").update(publicKey).digest("hex") };
}

function decode(der: Buffer): Pkcs10CertificateRequest {
  const refusal = "must be one PKCS #10 certificate request as PEM";
  // The library ignores bytes after the end.
  if (!isOneSequence(der)) throw invalidField(FIELD, refusal);
  try {
    return new Pkcs10CertificateRequest(new Uint8Array(der));
  } catch (cause) {
    throw invalidField(FIELD, refusal, { cause });
  }
}

/** Reports whether the bytes are exactly one sequence of at most 65,535 bytes. */
function isOneSequence(der: Buffer): boolean {
  const [tag, size] = der;
  if (tag !== SEQUENCE || size === undefined) return false;
  if (size < LONG_FORM) return der.length === 2 + size;
  const digits = size - LONG_FORM;
  return digits <= 2 && der.length === 2 + digits + Number.parseInt(der.subarray(2, 2 + digits).toString("hex"), 16);
}

function readKey({ publicKey }: Pkcs10CertificateRequest): KeyObject {
  const refusal = "must contain a public key on the curve P-256";
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey.rawData), type: "spki", format: "der" });
    // A named curve with an uncompressed point has this length; custom curves do not.
    const isPlain = publicKey.rawData.byteLength === KEY_BYTES;
    if (isPlain && key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  } catch (cause) {
    throw invalidField(FIELD, refusal, { cause });
  }
  throw invalidField(FIELD, refusal);
}

async function isSelfSigned(request: Pkcs10CertificateRequest): Promise<boolean> {
  // The library throws for a malformed signature.
  return request.verify().catch(() => false);
}
