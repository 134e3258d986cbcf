import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { KnownCell } from "../../casework/cells/cell.ts";
import { createRulesClient } from "../../detection/rule-files/rules-client.ts";
import { createRulesCommand, type ExitCode, type RulesOptions } from "../../detection/rule-files/rules-command.ts";
import { createYamlFolder } from "../../detection/rule-files/yaml-folder.ts";
import type { SendToCell } from "./send-to-cell.ts";

export interface RingRulesDeps {
  cells: readonly KnownCell[];
  folder: string;
  ring: number;
  send: SendToCell;
  clock: Pick<Clock, "sleep">;
  print: (line: string) => void;
}

/**
 * Makes the cells of one ring like the folder, one after the other. The cells of all rings before must be like it already:
 * what was not tried there goes no further. The first cell that refuses a rule ends it.
 */
export async function pushToRing(
  { cells, folder, ring, send, clock, print }: RingRulesDeps,
  options: RulesOptions,
): Promise<ExitCode> {
  const inRing = cells.filter((cell) => cell.ring === ring);
  if (inRing.length === 0) throw new Problem("invalid", `--ring: no cell is in ring ${ring}`);
  const push = (cell: KnownCell, given: RulesOptions) =>
    createRulesCommand({
      folder: createYamlFolder(folder),
      client: () => createRulesClient((method, path, body) => send(cell, method, path, body), clock),
      print: (line) => print(`${cell.name}: ${line}`),
    }).push(given);
  for (const cell of cells.filter((each) => each.ring < ring)) {
    if ((await push(cell, { ...options, isDryRun: true })) !== 0) {
      print(`cell '${cell.name}' of ring ${cell.ring} is not like the folder: nothing was pushed to ring ${ring}`);
      return 1;
    }
  }
  let isDifferent = false;
  for (const cell of inRing) {
    const isRefused = (await push(cell, options)) !== 0;
    if (isRefused && !options.isDryRun) return 1;
    isDifferent ||= isRefused;
  }
  return isDifferent ? 1 : 0;
}
