import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const PROMTOOL = "/usr/bin/promtool";

/** Whether Debian's package `prometheus` is installed. */
export function hasPromtool(): boolean {
  return spawnSync(PROMTOOL, ["--version"]).status === 0;
}

/** What Prometheus' own program prints, in a folder, of what it is given; with its exit code if that is not 0. */
export async function runPromtool(words: readonly string[], folder = ".", given = ""): Promise<string> {
  const child = spawn(PROMTOOL, words, { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  const exited = once(child, "exit");
  child.stdin.end(given);
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  const ended: unknown[] = await exited;
  return ended[0] === 0 ? printed.join("") : `promtool exited with ${String(ended[0])}: ${printed.join("")}`;
}

/** What it finds wrong with an answer of GET /metrics; empty when nothing is. */
export const findMetricsFaults = (metrics: string): Promise<string> => runPromtool(["check", "metrics"], ".", metrics);
