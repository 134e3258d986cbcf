import type { Command } from "./commands.ts";
import { fuzzyMatch } from "./fuzzy.ts";

/** A record found by the search. */
export interface SearchResult {
  /** Heading of its group, in the chosen language. */
  kind: string;
  title: string;
  subtitle: string;
  /** The page of the record. */
  href: string;
}

export type PaletteOption =
  | { id: string; group: string; command: Command; places: readonly number[] }
  | { id: string; group: string; found: SearchResult };

const MAX_COMMANDS = 50;

/** The commands that match a text, best first, then the search results. Groups stay together. */
export function buildOptions(
  text: string,
  commands: readonly Command[],
  found: readonly SearchResult[],
): PaletteOption[] {
  const matching = commands
    .filter(({ isHidden }) => !isHidden)
    .flatMap((command) => {
      const match = fuzzyMatch(text, command.label);
      return match ? [{ command, match }] : [];
    })
    .toSorted((a, b) => (text.trim() === "" ? 0 : b.match.score - a.match.score))
    .slice(0, MAX_COMMANDS)
    .map(({ command, match }) => ({
      id: `command-${command.id}`,
      group: command.group,
      command,
      places: match.places,
    }));
  const records = found.map((each) => ({ id: `found-${each.href}`, group: each.kind, found: each }));
  return groupTogether<PaletteOption>([...matching, ...records]).flatMap(([, members]) => members);
}

/** In the order in which the groups first occur. */
export function groupTogether<Member extends { group: string }>(members: readonly Member[]): [string, Member[]][] {
  const groups = new Map<string, Member[]>();
  for (const member of members) groups.set(member.group, [...(groups.get(member.group) ?? []), member]);
  return [...groups];
}

/** The active option after an arrow key. It wraps at both ends. */
export function moveActive(at: number, step: number, count: number): number {
  return count === 0 ? 0 : (at + step + count) % count;
}
