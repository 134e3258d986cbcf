import { Problem } from "@kit/problem";

export const MAX_PARTITIONS = 1000;

/** Messages beyond the last partition would never be read, although they were acknowledged to their senders. */
export function requireNoneBeyond(partitions: number, counts: ReadonlyMap<number, number>): void {
  for (const [partition, messages] of counts) {
    if (partition < partitions || messages === 0) continue;
    throw new Problem(
      "invalid",
      `SOC_LOG_PARTITIONS: is ${partitions}, but the stream of partition ${partition} holds ${messages} messages; start with ` +
        `at least ${partition + 1} until they are stored, and run no intake with more than ${partitions} in the meantime`,
    );
  }
}
