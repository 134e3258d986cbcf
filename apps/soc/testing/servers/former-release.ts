import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** What is upgraded from: the last commit before migration 0096. A release moves it on to the tag before it. */
const FORMER_RELEASE = "77b5330b4a9fe2c42dd04167b14ebed06cb95929";

const run = promisify(execFile);
/** Without that of a test, in which the console would be built with everything that helps its developers. */
const { NODE_ENV: _, ...ENVIRONMENT } = process.env;
const ROOT = join(import.meta.dirname, "../../../..");
const CACHE = join(homedir(), ".cache/manara/releases");

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
      await run("npm", args, { cwd: building, env: ENVIRONMENT, maxBuffer: 64 * 1024 * 1024 });
    }
    await writeFile(join(building, "built"), "");
    await rm(folder, { recursive: true, force: true });
    await rename(building, folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}
