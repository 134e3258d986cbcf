import { constants, type KeyObject, verify } from "node:crypto";
import { invalidField } from "@kit/problem";
import { ALG_ECDSA, ALG_RSAPSS, ALG_RSASSA, ALG_SHA256, DIGEST_BYTES, RSA_BYTES } from "./algorithms.ts";
import { readStructure } from "./byte-reader.ts";
import { padCoordinate, type SigningScheme } from "./public-area.ts";

/** TPMT_SIGNATURE over SHA-256. */
export interface TpmSignature {
  scheme: SigningScheme;
  /** In the format of node:crypto: r and s of 32 bytes each, or the RSA signature. */
  value: Buffer;
}

export function parseSignature(bytes: Uint8Array): TpmSignature {
  return readStructure("signature", bytes, (reader) => {
    const algorithm = reader.uint16("sigAlg");
    if (algorithm !== ALG_ECDSA && algorithm !== ALG_RSASSA && algorithm !== ALG_RSAPSS)
      throw invalidField("signature.sigAlg", "must be ECDSA, RSASSA or RSAPSS");
    if (reader.uint16("hash") !== ALG_SHA256) throw invalidField("signature.hash", "must be SHA-256");
    if (algorithm !== ALG_ECDSA) {
      const value = reader.sized("sig", RSA_BYTES);
      if (value.length < RSA_BYTES) throw invalidField("signature.sig", `must have ${RSA_BYTES} bytes`);
      return { scheme: algorithm === ALG_RSASSA ? "rsassa" : "rsapss", value };
    }
    const [r, s] = [reader.sized("signatureR", DIGEST_BYTES), reader.sized("signatureS", DIGEST_BYTES)];
    return { scheme: "ecdsa", value: Buffer.concat([padCoordinate(r), padCoordinate(s)]) };
  });
}

export function isSignedBy(key: KeyObject, message: Uint8Array, { scheme, value }: TpmSignature): boolean {
  return verify("sha256", message, { key, ...OPTIONS[scheme] }, value);
}

const OPTIONS = {
  ecdsa: { dsaEncoding: "ieee-p1363" },
  rsassa: { padding: constants.RSA_PKCS1_PADDING },
  // A TPM uses the longest salt that fits, or one as long as the digest.
  rsapss: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO },
} as const;
