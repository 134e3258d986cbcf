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

/** Remembers the last key: neighbours in a batch mostly have the same one, and hashing costs more than comparing. */
export function createPartitionFinder(partitions: number): (key: PartitionKey) => number {
  let last: (PartitionKey & { partition: number }) | undefined;
  return (key) => {
    if (last?.site !== key.site || last.source !== key.source || last.sender !== key.sender) {
      last = { ...key, partition: partitionFor(key, partitions) };
    }
    return last.partition;
  };
}
