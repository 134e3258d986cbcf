import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { startOwnPostgres } from "./soc-dev/own-postgres.ts";
import { openPostgresHome } from "./soc-dev/postgres-home.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const clock = createClock();

/** Runs a complete SOC with its own PostgreSQL and sample data. Returns the exit code. */
async function main(stopping: AbortController): Promise<number> {
  const { signal } = stopping;
  const dataFolder = resolve(process.env.SOC_DATA_DIR || join(ROOT, "var/soc-dev"));
  const home = await openPostgresHome(dataFolder);
  process.stdout.write(`starting PostgreSQL ${home.version} in ${home.folder}…\n`);
  const postgres = await startOwnPostgres({ home, clock, ids: createIds(clock), signal });
  void postgres.ended.then(() => stopping.abort());
  const env = {
    ...process.env,
    SOC_MODE: process.env.SOC_MODE || "real",
    SOC_DATA_DIR: dataFolder,
    SOC_DATABASE_URL: postgres.url,
  };
  try {
    const code = (await runToEnd("main-demo", env, signal)) || (await runToEnd("main", env, signal));
    if (postgres.isRunning()) return code;
    throw new Error(`PostgreSQL has ended. The last lines of its log:\n${await postgres.readLastLogLines()}`);
  } finally {
    await postgres.stop();
  }
}

/** Runs a program of the SOC and stops it when the signal is aborted. */
async function runToEnd(program: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  if (signal.aborted) return 0;
  const entry = join(ROOT, `apps/soc/bundle/${program}.js`);
  // In its own process group: Ctrl-C reaches it once, through this process.
  const child = spawn(process.execPath, [entry], { env, stdio: "inherit", detached: true });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  await once(child, "exit");
  signal.removeEventListener("abort", stop);
  return child.exitCode ?? (signal.aborted ? 0 : 1);
}

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
process.exitCode = await main(stopping).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
