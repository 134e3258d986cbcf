import { createHash } from "node:crypto";

/** The values that decide the partition of a log. */
export interface PartitionKey {
  site: string;
  source: string;
  sender: string;
}

/**
 * Returns the partition of a log. It is the same for the same site, source and sender, in every process and release, so
 * that a sender's repeat of an event reaches the owner that remembers the event.
 */
export function partitionFor({ site, source, sender }: PartitionKey, partitions: number): number {
  // JSON, not join(): ("a,b", "") and ("a", "b") must not collide.
  const digest = createHash("sha256")
    .update(JSON.stringify([site, source, sender]))
    .digest();
  return digest.readUInt32BE(0) % partitions;
}

/** Caches the last key: neighbours in a batch usually share it, and hashing costs more than comparing. */
export function createPartitionFinder(partitions: number): (key: PartitionKey) => number {
  let last: (PartitionKey & { partition: number }) | undefined;
  return (key) => {
    if (last?.site !== key.site || last.source !== key.source || last.sender !== key.sender) {
      last = { ...key, partition: partitionFor(key, partitions) };
    }
    return last.partition;
  };
}
