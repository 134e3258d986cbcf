import { formatUnifiedDiff } from "../../foundation/records/line-diff.ts";
import { type RuleDocument, type RuleFile, withId } from "./rule-file.ts";

export interface LocalRule extends RuleDocument {
  file: RuleFile;
}

/** What a push would change in the service. */
export interface Difference {
  created: LocalRule[];
  updated: { local: LocalRule; remote: RuleDocument }[];
  /** Rules of the service without a file. */
  absent: RuleDocument[];
}

/**
 * Compares the folder with the service: by the id of the rule or, for a file without one, by the id of its Sigma rule.
 */
export function compareRules(locals: readonly LocalRule[], remotes: readonly RuleDocument[]): Difference {
  const byId = new Map(remotes.map((remote) => [remote.id, remote]));
  const bySigmaId = new Map(remotes.filter(({ sigmaId }) => sigmaId !== "").map((remote) => [remote.sigmaId, remote]));
  const difference: Difference = { created: [], updated: [], absent: [] };
  const kept = new Set<string>();
  for (const local of locals) {
    const remote = local.id === "" ? bySigmaId.get(local.sigmaId) : byId.get(local.id);
    if (!remote) {
      difference.created.push(local);
      continue;
    }
    kept.add(remote.id);
    const text = withId(local.text, remote.id);
    if (text !== remote.text) difference.updated.push({ local: { ...local, id: remote.id, text }, remote });
  }
  difference.absent = remotes.filter(({ id }) => !kept.has(id));
  return difference;
}

/** For a person who reviews a push. With `isPruning`, rules without a file are deleted. */
export function formatDifference({ created, updated, absent }: Difference, isPruning: boolean): string[] {
  return [
    ...created.map(({ file, title }) => `create ${file.name}: ${title}`),
    ...updated.map(({ local, remote }) => {
      return `update ${local.file.name}: ${local.title}\n${formatUnifiedDiff(remote.text, local.text)}`.trimEnd();
    }),
    ...(isPruning ? absent.map(({ id, title }) => `delete ${id}: ${title}`) : []),
  ];
}
