import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

// The engine alone: reads one statement per line and writes the duration of each.
const SCRIPT = `
const { readFileSync } = require("node:fs");
const { Session } = require("chdb");
const session = new Session(process.argv[1]);
const works = {
  run: async ({ sql }) => session.query(sql),
  insert: async ({ path, settings }) => {
    const values = readFileSync(path);
    return timed(() => session.insert({ table: "logs", format: "JSONEachRow", values, settings }));
  },
  select: async ({ sql, parameters }) => timed(async () => {
    let text = "";
    for await (const chunk of session.queryStreamBind(sql, parameters)) text += chunk.text();
    return text.split("\\n").filter(Boolean).map((line) => JSON.parse(line)).length;
  }),
};
async function timed(work) {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000, result };
}
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const asked = JSON.parse(line);
  const answer = await works[asked.kind](asked).catch((error) => ({ error: error.message }));
  process.stdout.write(JSON.stringify(answer || {}) + "\\n");
});`;

export type BareWork =
  | { kind: "run"; sql: string }
  | { kind: "insert"; path: string; settings: Readonly<Record<string, string | number>> }
  | { kind: "select"; sql: string; parameters: Readonly<Record<string, unknown>> };

/** Starts the bare engine in a separate process. */
export function startBareEngine(folder: string) {
  const cwd = join(import.meta.dirname, "../..");
  const child = spawn(process.execPath, ["-e", SCRIPT, folder], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(work: BareWork): Promise<{ ms: number; cpuMs: number; result: unknown }> {
      child.stdin.write(`${JSON.stringify(work)}\n`);
      const { value } = await answers.next();
      const answer = JSON.parse(String(value));
      if (answer.error) throw new Error(answer.error);
      return answer;
    },
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
