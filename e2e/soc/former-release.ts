import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import { ADMIN_PASSWORD } from "../services.ts";

/** What is upgraded from: the last commit before migration 0096. A release moves it on to the tag before it. */
const FORMER_RELEASE = "77b5330b4a9fe2c42dd04167b14ebed06cb95929";

export interface StartedRelease extends StartedProcess {
  url: string;
}

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;
const CACHE = join(homedir(), ".cache/manara/releases");
const START_MS = 90_000;
const MANY = "10000000";

/** The folder of the former release, installed and built as its own documents say; kept for the next run. */
export async function buildFormerRelease(): Promise<string> {
  const folder = join(CACHE, FORMER_RELEASE);
  if (existsSync(join(folder, "built"))) return folder;
  await mkdir(CACHE, { recursive: true });
  const building = await mkdtemp(`${folder}-`);
  try {
    await run("sh", ["-c", `git archive ${FORMER_RELEASE} | tar -x -C "$0"`, building], { cwd: ROOT });
    for (const args of [
      ["ci", "--no-fund", "--no-audit"],
      ["run", "build"],
    ]) {
      await run("npm", args, { cwd: building, maxBuffer: 64 * 1024 * 1024 });
    }
    await writeFile(join(building, "built"), "");
    await rm(folder, { recursive: true, force: true });
    await rename(building, folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}

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
