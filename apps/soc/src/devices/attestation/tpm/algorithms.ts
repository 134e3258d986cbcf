// TCG Algorithm Registry and TPM 2.0 Library, Part 2: the identifiers that we accept.

export const ALG_RSA = 0x0001;
export const ALG_AES = 0x0006;
export const ALG_SHA256 = 0x000b;
export const ALG_NULL = 0x0010;
export const ALG_RSASSA = 0x0014;
export const ALG_RSAPSS = 0x0016;
export const ALG_ECDSA = 0x0018;
export const ALG_ECC = 0x0023;
export const ALG_CFB = 0x0043;
export const CURVE_P256 = 0x0003;

/** Bytes of a SHA-256 digest, of a coordinate of P-256 and of our nonces. */
export const DIGEST_BYTES = 32;
/** Bytes of an RSA key of 2,048 bits, and of what it encrypts and signs. */
export const RSA_BYTES = 256;
/** Bytes of a name: the algorithm, then the digest. */
export const NAME_BYTES = 2 + DIGEST_BYTES;
