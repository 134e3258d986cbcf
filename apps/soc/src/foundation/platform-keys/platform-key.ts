import { createHmac } from "node:crypto";

/** A key that all hosts of a platform share. */
export interface PlatformKey {
  name: "ledger" | "channels" | "devices-ca";
  /** The variable that names its file. */
  variable: string;
  /** Tells keys apart and reveals nothing about them. */
  fingerprint: string;
  /** Of the keys beside it, while it is replaced. */
  others?: readonly string[];
}

/** For a key without a public part. */
export function computeKeyFingerprint(secret: Uint8Array): string {
  return createHmac("sha256", secret).update("manara-soc key fingerprint").digest("hex");
}
