import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { ADMIN_PASSWORD } from "../services.ts";

export interface StartedRelease extends StartedProcess {
  url: string;
}

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;
const START_MS = 90_000;
const MANY = "10000000";

/** This release, as `npm run build` has left it. */
export const thisRelease = ROOT;

/** Runs a bundle of a release to its end, and returns what it prints. */
export async function runBundle(
  release: string,
  [bundle, ...args]: readonly [string, ...string[]],
  env: Record<string, string> = {},
): Promise<string> {
  const program = join(release, `apps/soc/bundle/${bundle}.js`);
  return (await run(process.execPath, [program, ...args], { env: { ...process.env, ...env } })).stdout;
}

/** Starts the service of a release on one box. Services of two releases share its data folder. */
export async function startRelease(
  release: string,
  { databaseUrl, dataFolder }: { databaseUrl: string; dataFolder: string },
): Promise<StartedRelease> {
  const port = await freePort();
  const started = await startProcess({
    command: process.execPath,
    args: [join(release, "apps/soc/bundle/main.js")],
    env: {
      SOC_MODE: "real",
      SOC_PORT: String(port),
      SOC_DATA_DIR: dataFolder,
      SOC_DATABASE_URL: databaseUrl,
      SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
      SOC_LIMIT_ADDRESS_PER_MINUTE: MANY,
      SOC_LIMIT_GENERAL_PER_MINUTE: MANY,
      SOC_LIMIT_INTAKE_PER_MINUTE: MANY,
    },
    readyWhen: / is ready at /,
    withinMs: START_MS,
  });
  return { ...started, url: `http://localhost:${port}` };
}
