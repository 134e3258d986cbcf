import type { Command } from "./commands.ts";
import { fuzzyMatch } from "./fuzzy.ts";

/** A record that a search found. */
export interface Found {
  /** The heading that it stands below, in the chosen language. */
  kind: string;
  title: string;
  subtitle: string;
  /** Its page in the console. */
  href: string;
}

export type PaletteOption =
  | { id: string; group: string; command: Command; places: readonly number[] }
  | { id: string; group: string; found: Found };

const MAX_COMMANDS = 50;

/** The commands that match a text, the best first; then what was found. Groups stay together. */
export function buildOptions(text: string, commands: readonly Command[], found: readonly Found[]): PaletteOption[] {
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

/** Which option is active after an arrow: it goes around at both ends. */
export function moveActive(at: number, step: number, count: number): number {
  return count === 0 ? 0 : (at + step + count) % count;
}
