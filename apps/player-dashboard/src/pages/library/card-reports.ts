import type { RecitersBody } from "@player/service/contract/library";

export type ReportKind =
  | "verse"
  | "noNumber"
  | "wrongNumber"
  | "noFolder"
  | "inner"
  | "double"
  | "unreadable"
  | "limit";

/** Identifies the service's English reports, so that the page can show them in the owner's language. */
const KINDS: readonly (readonly [RegExp, ReportKind])[] = [
  [/^six digits/, "verse"],
  [/^the name does not begin/, "noNumber"],
  [/is not a surah's number/, "wrongNumber"],
  [/^lies in no reciter's folder/, "noFolder"],
  [/^a folder inside/, "inner"],
  [/^surah \d+ is taken from|^another folder/, "double"],
  [/^only \d+|^has more names/, "limit"],
];

export interface ReportGroup {
  kind: ReportKind;
  paths: string[];
}

/** Skipped files, grouped by reason, most frequent first. */
export function reportGroups(reports: RecitersBody["reports"]): ReportGroup[] {
  const groups = new Map<ReportKind, string[]>();
  for (const { path, problem } of reports) {
    const kind = KINDS.find(([pattern]) => pattern.test(problem))?.[1] ?? "unreadable";
    groups.set(kind, [...(groups.get(kind) ?? []), path]);
  }
  return [...groups].map(([kind, paths]) => ({ kind, paths })).sort((a, b) => b.paths.length - a.paths.length);
}
