import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import { sendLine } from "./line-client.ts";

/** What a person does by hand, as the simulator's line of JSON. */
export function parseAction([action, ...words]: readonly string[], isCharging: boolean): object {
  const [first = "", second = ""] = words;
  const takes: Record<string, { words: number; build: () => object }> = {
    tap: { words: 1, build: () => ({ tap: first }) },
    lift: { words: 0, build: () => ({ lift: true }) },
    press: { words: 0, build: () => ({ button: "press" }) },
    key: { words: 2, build: () => ({ key: { name: first, change: second } }) },
    turn: { words: 1, build: () => ({ turn: Number(first) }) },
    battery: { words: 1, build: () => ({ battery: { percentage: Number(first), charging: isCharging } }) },
    eject: { words: 0, build: () => ({ eject: true }) },
  };
  const known = Object.hasOwn(takes, action ?? "") ? takes[action ?? ""] : undefined;
  if (!known) throw invalidField("action", `must be one of ${Object.keys(takes).join(", ")}`);
  if (words.length !== known.words) throw invalidField(action ?? "", `takes ${known.words} words`);
  return known.build();
}

/** Sends one action to the simulated hardware of a running service. Returns its answer. */
export function simulate(path: string, action: object, clock: Pick<Clock, "deadline">): Promise<string> {
  return sendLine(path, JSON.stringify(action), clock).catch((cause: unknown) => {
    throw new Problem("unavailable", `no simulated device answers at ${path}: is PLAYER_DRIVERS=simulated?`, { cause });
  });
}
