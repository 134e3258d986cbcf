import { createHash } from "node:crypto";

/** What decides the partition of a log. */
export interface PartitionKey {
  site: string;
  source: string;
  sender: string;
}

/**
 * The partition of a log: the same for the same site, source and sender, in every process and release. A sender's repeat
 * of an event therefore meets the owner that remembers the event.
 */
export function partitionFor({ site, source, sender }: PartitionKey, partitions: number): number {
  // JSON, not join(): ("a,b", "") and ("a", "b") must not collide.
  const digest = createHash("sha256")
    .update(JSON.stringify([site, source, sender]))
    .digest();
  return digest.readUInt32BE(0) % partitions;
}
