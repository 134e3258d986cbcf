import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** The release to upgrade from: the last commit before migration 0096. Each release sets it to the previous tag. */
const FORMER_RELEASE = "77b5330b4a9fe2c42dd04167b14ebed06cb95929";

const run = promisify(execFile);
/** Without the NODE_ENV of a test, with which the console would be built with development helpers. */
const { NODE_ENV: _, ...ENVIRONMENT } = process.env;
const ROOT = join(import.meta.dirname, "../../../..");
const CACHE = join(homedir(), ".cache/manara/releases");

/**
 * Returns the folder of the previous release, installed and built as its own documents describe, and cached for the
 * next run.
 */
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
