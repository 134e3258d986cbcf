import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { invalidField } from "@kit/problem";
import {
  ALG_AES,
  ALG_CFB,
  ALG_ECC,
  ALG_ECDSA,
  ALG_NULL,
  ALG_RSA,
  ALG_RSAPSS,
  ALG_RSASSA,
  ALG_SHA256,
  CURVE_P256,
  DIGEST_BYTES,
  RSA_BYTES,
} from "./algorithms.ts";
import { type ByteReader, readStructure, writeSized, writeUint16, writeUint32 } from "./byte-reader.ts";

/** The bits of TPMA_OBJECT (Part 2, section 8.3). */
export const ATTRIBUTES = {
  fixedTPM: 1 << 1,
  stClear: 1 << 2,
  fixedParent: 1 << 4,
  sensitiveDataOrigin: 1 << 5,
  userWithAuth: 1 << 6,
  adminWithPolicy: 1 << 7,
  noDA: 1 << 10,
  encryptedDuplication: 1 << 11,
  restricted: 1 << 16,
  decrypt: 1 << 17,
  sign: 1 << 18,
  x509sign: 1 << 19,
} as const;
export type Attribute = keyof typeof ATTRIBUTES;

export type SigningScheme = "ecdsa" | "rsassa" | "rsapss";

export type PublicKeyValue =
  | { type: "ecc"; x: Uint8Array; y: Uint8Array }
  /** An exponent of 0 means 65,537. */
  | { type: "rsa"; modulus: Uint8Array; exponent: number };

/** TPMT_PUBLIC of a P-256 or RSA 2048 key whose name is a SHA-256 digest. */
export interface PublicArea {
  attributes: number;
  authPolicy: Uint8Array;
  /** The protection of a storage key's children; null for other keys. */
  symmetric: { algorithm: "aes-128-cfb" } | null;
  /** The signing scheme, always with SHA-256; null for a key that does not sign or allows any scheme. */
  scheme: SigningScheme | null;
  key: PublicKeyValue;
}

const SCHEMES = new Map<number, SigningScheme>([
  [ALG_ECDSA, "ecdsa"],
  [ALG_RSASSA, "rsassa"],
  [ALG_RSAPSS, "rsapss"],
]);
const SCHEME_ALGORITHMS = { ecdsa: ALG_ECDSA, rsassa: ALG_RSASSA, rsapss: ALG_RSAPSS } as const;
const KEY_TYPE_OF = { ecdsa: "ecc", rsassa: "rsa", rsapss: "rsa" } as const;
const RSA_BITS = 2048;
const AES_BITS = 128;
const DEFAULT_EXPONENT = 65_537;
const MAX_POLICY_BYTES = DIGEST_BYTES;

/** Parses TPM2B_PUBLIC, the format in which tools store a public area. */
export function parsePublic(bytes: Uint8Array): PublicArea {
  const area = readStructure("public", bytes, (reader) => reader.sized("size", bytes.length));
  return readStructure("public", area, readArea);
}

/** Writes TPM2B_PUBLIC; the inverse of parsePublic. */
export function marshalPublic(area: PublicArea): Buffer {
  return writeSized(marshalArea(area));
}

/** Returns the name of an object: the algorithm and the digest of its public area with all attributes (Part 1, 16). */
export function computeName(area: PublicArea): Buffer {
  return toName(marshalArea(area));
}

const ENDORSEMENT_HIERARCHY = writeUint32(0x4000_000b);

/** Returns the qualified name of a primary key of the endorsement hierarchy, which exists only in its owner's TPM. */
export function toPrimaryName(name: Uint8Array): Buffer {
  return toName(Buffer.concat([ENDORSEMENT_HIERARCHY, name]));
}

/** Returns the qualified name of a key below another key. */
export function toChildName(parentQualifiedName: Uint8Array, name: Uint8Array): Buffer {
  return toName(Buffer.concat([parentQualifiedName, name]));
}

function toName(content: Uint8Array): Buffer {
  return Buffer.concat([writeUint16(ALG_SHA256), createHash("sha256").update(content).digest()]);
}

export function hasAttribute({ attributes }: Pick<PublicArea, "attributes">, attribute: Attribute): boolean {
  return (attributes & ATTRIBUTES[attribute]) !== 0;
}

export function toKeyObject({ key }: Pick<PublicArea, "key">): KeyObject {
  try {
    return createPublicKey({ key: toJwk(key), format: "jwk" });
  } catch (cause) {
    throw invalidField("public.unique", "is neither a point of P-256 nor an RSA key", { cause });
  }
}

/** Pads a coordinate to its full length, because a TPM may omit leading zeros. */
export function padCoordinate(coordinate: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(DIGEST_BYTES - coordinate.length), coordinate]);
}

function toJwk(key: PublicKeyValue) {
  if (key.type === "ecc")
    return { kty: "EC", crv: "P-256", x: toUrl(padCoordinate(key.x)), y: toUrl(padCoordinate(key.y)) };
  const exponent = writeUint32(key.exponent === 0 ? DEFAULT_EXPONENT : key.exponent).subarray(1);
  return { kty: "RSA", n: toUrl(key.modulus), e: toUrl(exponent) };
}

function toUrl(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

function readArea(reader: ByteReader): PublicArea {
  const type = readType(reader);
  expectValue("nameAlg", reader.uint16("nameAlg"), ALG_SHA256, "SHA-256");
  const attributes = readAttributes(reader);
  const authPolicy = reader.sized("authPolicy", MAX_POLICY_BYTES);
  const symmetric = readSymmetric(reader);
  const scheme = readScheme(reader, type);
  const key = type === "ecc" ? readPoint(reader) : readModulus(reader);
  return { attributes, authPolicy, symmetric, scheme, key };
}

function readType(reader: ByteReader): PublicKeyValue["type"] {
  const type = reader.uint16("type");
  if (type !== ALG_ECC && type !== ALG_RSA) throw invalidField("public.type", "must be ECC or RSA");
  return type === ALG_ECC ? "ecc" : "rsa";
}

const KNOWN_ATTRIBUTES = Object.values(ATTRIBUTES).reduce((all: number, bit) => all | bit, 0);

function readAttributes(reader: ByteReader): number {
  const attributes = reader.uint32("objectAttributes");
  if ((attributes & ~KNOWN_ATTRIBUTES) !== 0) throw invalidField("public.objectAttributes", "has reserved bits");
  return attributes;
}

function readSymmetric(reader: ByteReader): PublicArea["symmetric"] {
  const algorithm = reader.uint16("symmetric");
  if (algorithm === ALG_NULL) return null;
  expectValue("symmetric", algorithm, ALG_AES, "AES");
  expectValue("symmetric.keyBits", reader.uint16("symmetric.keyBits"), AES_BITS, "128");
  expectValue("symmetric.mode", reader.uint16("symmetric.mode"), ALG_CFB, "CFB");
  return { algorithm: "aes-128-cfb" };
}

function readScheme(reader: ByteReader, type: PublicKeyValue["type"]): SigningScheme | null {
  const algorithm = reader.uint16("scheme");
  if (algorithm === ALG_NULL) return null;
  const scheme = SCHEMES.get(algorithm);
  if (!scheme || KEY_TYPE_OF[scheme] !== type)
    throw invalidField("public.scheme", "must be ECDSA, RSASSA or RSAPSS, as the type of the key allows");
  expectValue("scheme.hashAlg", reader.uint16("scheme.hashAlg"), ALG_SHA256, "SHA-256");
  return scheme;
}

function readPoint(reader: ByteReader): PublicKeyValue {
  expectValue("curveID", reader.uint16("curveID"), CURVE_P256, "P-256");
  expectValue("kdf", reader.uint16("kdf"), ALG_NULL, "null");
  return { type: "ecc", x: reader.sized("unique.x", DIGEST_BYTES), y: reader.sized("unique.y", DIGEST_BYTES) };
}

function readModulus(reader: ByteReader): PublicKeyValue {
  expectValue("keyBits", reader.uint16("keyBits"), RSA_BITS, "2048");
  const exponent = reader.uint32("exponent");
  if (exponent !== 0 && exponent !== DEFAULT_EXPONENT) throw invalidField("public.exponent", "must be 65537");
  const modulus = reader.sized("unique", RSA_BYTES);
  // A shorter modulus, or one with leading zeros, is a weaker key.
  if (modulus.length < RSA_BYTES || (modulus[0] ?? 0) < 0x80)
    throw invalidField("public.unique", "must have 2048 bits");
  return { type: "rsa", modulus, exponent };
}

function expectValue(field: string, value: number, expected: number, words: string): void {
  if (value !== expected) throw invalidField(`public.${field}`, `must be ${words}`);
}

function marshalArea({ attributes, authPolicy, symmetric, scheme, key }: PublicArea): Buffer {
  return Buffer.concat([
    writeUint16(key.type === "ecc" ? ALG_ECC : ALG_RSA),
    writeUint16(ALG_SHA256),
    writeUint32(attributes),
    writeSized(authPolicy),
    ...(symmetric ? [ALG_AES, AES_BITS, ALG_CFB] : [ALG_NULL]).map(writeUint16),
    ...(scheme ? [SCHEME_ALGORITHMS[scheme], ALG_SHA256] : [ALG_NULL]).map(writeUint16),
    ...marshalKey(key),
  ]);
}

function marshalKey(key: PublicKeyValue): Buffer[] {
  if (key.type === "ecc") return [writeUint16(CURVE_P256), writeUint16(ALG_NULL), writeSized(key.x), writeSized(key.y)];
  return [writeUint16(RSA_BITS), writeUint32(key.exponent), writeSized(key.modulus)];
}
