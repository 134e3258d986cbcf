import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";

export interface StartedService extends StartedProcess {
  port: number;
  url: string;
  dataFolder: string;
}

const ROOT = new URL("../", import.meta.url).pathname;

export const ADMIN_PASSWORD = "correct horse battery";

/** Starts a built product with its own folder and port, like an operator. A command can start it on another machine. */
export async function startService(
  name: "player" | "soc",
  env: Record<string, string> = {},
  [command = process.execPath, ...inside]: readonly string[] = [],
): Promise<StartedService> {
  const prefix = name.toUpperCase();
  const port = await freePort();
  const dataFolder = await mkdtemp(join(tmpdir(), `${name}-`));
  const started = await startProcess({
    command,
    args: [
      ...inside,
      ...(command === process.execPath ? [] : [process.execPath]),
      join(ROOT, `apps/${name}/bundle/main.js`),
    ],
    env: {
      [`${prefix}_PORT`]: String(port),
      [`${prefix}_DATA_DIR`]: dataFolder,
      SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
      ...env,
    },
    readyWhen: / is ready at /,
    // On a machine that has much else to do; how long a start may take is asserted where it is measured.
    withinMs: 90_000,
  });
  const isTls = name === "player" && env.PLAYER_TLS !== "off";
  const host = env[`${prefix}_HOST`] ?? "localhost";
  return { ...started, port, dataFolder, url: `${isTls ? "https" : "http"}://${host}:${port}` };
}

export async function residentMiB({ pid }: StartedProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
