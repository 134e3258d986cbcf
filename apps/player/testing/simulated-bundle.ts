import { createHash } from "node:crypto";
import { SIMULATED_COMPATIBLE, SIMULATED_SIGNER } from "../src/drivers/simulated-updater.ts";

export interface BundleOptions {
  version?: string;
  compatible?: string;
  /** Signed by a key that this device does not trust. */
  isForged?: boolean;
}

const PAYLOAD = Buffer.alloc(100_000, "recitation");

/** A bundle that the simulated updater accepts. */
export function simulatedBundle({ version = "2.0.0", compatible, isForged = false }: BundleOptions = {}): Buffer {
  const head = {
    signer: isForged ? "stranger" : SIMULATED_SIGNER,
    compatible: compatible ?? SIMULATED_COMPATIBLE,
    version,
    sha256: createHash("sha256").update(PAYLOAD).digest("hex"),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), PAYLOAD]);
}

/** The same with one inverted byte. */
export function flippedAt(bundle: Buffer, share: number): Buffer {
  const flipped = Buffer.from(bundle);
  const at = Math.min(Math.floor(bundle.length * share), bundle.length - 1);
  flipped.writeUInt8(flipped.readUInt8(at) ^ 0xff, at);
  return flipped;
}
