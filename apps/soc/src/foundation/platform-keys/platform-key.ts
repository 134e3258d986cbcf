import { createHmac } from "node:crypto";

/** A key that all hosts of a platform share. */
export interface PlatformKey {
  name: "ledger" | "channels" | "devices-ca";
  /** The configuration variable that names its file. */
  variable: string;
  /** Identifies the key without revealing anything about it. */
  fingerprint: string;
  /** The fingerprints of the next and former keys during a rotation. */
  others?: readonly string[];
}

/** For a key without a public part. */
export function computeKeyFingerprint(secret: Uint8Array): string {
  return createHmac("sha256", secret).update("manara-soc key fingerprint").digest("hex");
}
