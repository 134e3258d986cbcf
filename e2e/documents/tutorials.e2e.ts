import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { isFull, select } from "../counts.ts";
import { buildScript, findMissingOutput, readRunBlocks } from "./run-blocks.ts";

// Runs the commands of README.md and of the tutorials like a newcomer, each page on its own machine: no network except
// loopback, an empty var/ and /var/lib, and no process left at the end. A build uses its own checkout; `npm run prove
// -- documents` clones it into an empty folder and installs it first.

const ROOT = join(import.meta.dirname, "../..");
const MAX_SECONDS = 600;
const run = promisify(execFile);
const clock = createClock();

const ALONE = "mkdir -p var && mount -t tmpfs tmpfs var && mount -t tmpfs tmpfs /var/lib && ip link set lo up";

async function runPage(path: string, checkout: string, temporary: string): Promise<string[]> {
  const blocks = readRunBlocks(await readFile(join(ROOT, path), "utf8"));
  const shown = blocks.filter(({ kind }) => kind !== "install");
  const unshare = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c"];
  const { stdout } = await run("unshare", [...unshare, `${ALONE}\n${buildScript(shown)}`], {
    cwd: checkout,
    env: { PATH: process.env.PATH ?? "", HOME: temporary, TMPDIR: temporary },
    timeout: MAX_SECONDS * 1000,
    maxBuffer: 10_000_000,
  });
  expect(shown.length).toBeGreaterThan(1);
  return findMissingOutput(shown, stdout);
}

/** In full, what the pages mark as their installation, in an empty folder. */
async function prepareCheckout(temporary: string): Promise<string> {
  if (!isFull) return ROOT;
  const checkout = join(temporary, "manara");
  await run("git", ["clone", "--quiet", "--local", ROOT, checkout]);
  const install = readRunBlocks(await readFile(join(ROOT, "README.md"), "utf8")).filter(
    ({ kind }) => kind === "install",
  );
  expect(install).toHaveLength(1);
  await run("bash", ["-c", buildScript(install)], {
    cwd: checkout,
    timeout: MAX_SECONDS * 1000,
    maxBuffer: 10_000_000,
  });
  return checkout;
}

const PAGES = ["README.md", "docs/tutorials/first-audio.md", "docs/tutorials/first-alert.md"];

it.each(select({ ci: PAGES.slice(0, 2), full: PAGES }))("%s works with its commands alone", async (path) => {
  const temporary = await mkdtemp(join(tmpdir(), "tutorial-"));
  const start = clock.monotonicMs();
  const missing = await runPage(path, await prepareCheckout(temporary), temporary);
  console.log(`${path}: ${Math.round((clock.monotonicMs() - start) / 1000)} s`);
  await rm(temporary, { recursive: true });
  expect(missing).toEqual([]);
});
