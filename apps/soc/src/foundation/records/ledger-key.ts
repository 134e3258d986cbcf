import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { invalidField } from "@kit/problem";
import { openKeyFile } from "./key-file.ts";

/** Signs for the platform. The private key never leaves it. */
export interface LedgerKey {
  key_id: string;
  public_key: string;
  sign(text: string): string;
}

/** Opens the key, or creates it if it is missing. */
export async function openLedgerKey(path: string): Promise<LedgerKey> {
  return toLedgerKey(readPrivateKey(await openKeyFile("SOC_LEDGER_KEY_FILE", path, makeKey)));
}

function makeKey() {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
}

function readPrivateKey(pem: Buffer): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (cause) {
    throw invalidField("SOC_LEDGER_KEY_FILE", "must hold an Ed25519 private key", { cause });
  }
  throw invalidField("SOC_LEDGER_KEY_FILE", "must hold an Ed25519 private key");
}

function toLedgerKey(privateKey: KeyObject): LedgerKey {
  const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: "jwk" }).x ?? "", "base64url");
  return {
    key_id: createHash("sha256").update(publicKey).digest("hex"),
    public_key: publicKey.toString("hex"),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("hex"),
  };
}
