/** A partition, and its current owner; undefined if it has no owner with a valid lease. */
export interface PartitionOwnership {
  partition: number;
  owner: string | undefined;
}

/**
 * Decides which worker owns which partition. Pure: all workers that see the same owners and workers decide the same.
 * The shares differ by at most one. A partition moves only if its owner has ended or has more than its share: if a
 * worker joins or leaves, at most the share of one worker moves.
 */
export function assign(owned: readonly PartitionOwnership[], workers: readonly string[]): Map<number, string> {
  const assigned = new Map<number, string>();
  if (workers.length === 0) return assigned;
  const ordered = owned.toSorted((a, b) => a.partition - b.partition);
  const kept = new Map<string, number[]>(workers.toSorted().map((worker) => [worker, []]));
  for (const { partition, owner } of ordered) if (owner !== undefined) kept.get(owner)?.push(partition);
  const shares = computeShares(kept, owned.length);
  for (const [worker, partitions] of kept) {
    for (const partition of partitions.slice(0, shares.get(worker))) assigned.set(partition, worker);
  }
  const room = [...kept].flatMap(([worker, partitions]) =>
    Array.from({ length: Math.max(0, (shares.get(worker) ?? 0) - partitions.length) }, () => worker),
  );
  let next = 0;
  for (const { partition } of ordered) {
    if (assigned.has(partition)) continue;
    const worker = room[next];
    next += 1;
    if (worker !== undefined) assigned.set(partition, worker);
  }
  return assigned;
}

/** The workers that own most get the larger shares, so that the fewest partitions move. */
function computeShares(kept: ReadonlyMap<string, readonly number[]>, partitions: number): Map<string, number> {
  const least = Math.floor(partitions / kept.size);
  const larger = partitions % kept.size;
  const byCount = [...kept].toSorted(([a, own], [b, other]) => other.length - own.length || (a < b ? -1 : 1));
  return new Map(byCount.map(([worker], place) => [worker, place < larger ? least + 1 : least]));
}
