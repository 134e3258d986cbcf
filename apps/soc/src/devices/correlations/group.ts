import { type CorrelatedRecord, findLinks } from "./link.ts";

/** Groups records in chronological order, like the worker. A record without a link is in no group. */
export function groupRecords<Each extends CorrelatedRecord>(records: readonly Each[]): Each[][] {
  const groups = new Map<Each, Set<Each>>();
  const seen: Each[] = [];
  for (const record of records.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const linked = findLinks(record, seen).map(({ other }) => other);
    seen.push(record);
    if (linked.length === 0) continue;
    const joined = new Set([record, ...linked, ...linked.flatMap((each) => [...(groups.get(each) ?? [])])]);
    for (const each of joined) groups.set(each, joined);
  }
  return [...new Set(groups.values())].map((group) => [...group]);
}
