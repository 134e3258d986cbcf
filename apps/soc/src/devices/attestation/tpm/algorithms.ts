// Accepted identifiers of the TCG Algorithm Registry and TPM 2.0 Library, Part 2.

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

/** The length of a SHA-256 digest, of a P-256 coordinate and of our nonces. */
export const DIGEST_BYTES = 32;
/** The length of an RSA key of 2,048 bits, and of its ciphertexts and signatures. */
export const RSA_BYTES = 256;
/** The length of a name: the algorithm and the digest. */
export const NAME_BYTES = 2 + DIGEST_BYTES;
