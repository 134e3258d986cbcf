import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { isFull } from "../../counts.ts";
import { buildPackage, capture, unpack } from "../../deb.ts";
import { createPlayerClient } from "../client.ts";

const clock = createClock();
const HOME = "usr/lib/manara-player";
if (!isFull) console.log("NOT RUN: the arm64 package in an emulator; npm run prove -- player-package runs it");

/** The libraries of an arm64 Debian, for programs that the emulator runs here. */
async function makeLibraries(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "arm64-"));
  const include = "--include=libc6,libgcc-s1,libstdc++6,libatomic1";
  await capture("mmdebstrap", "--quiet", "--variant=extract", "--architectures=arm64", include, "bookworm", folder);
  return folder;
}

it.runIf(isFull)("starts the arm64 package with its database and screen in an emulator", async () => {
  const [root, libraries] = await Promise.all([buildPackage({ architecture: "arm64" }).then(unpack), makeLibraries()]);
  const [port, dataFolder] = [await freePort(), await mkdtemp(join(tmpdir(), "player-"))];
  const fromMs = clock.monotonicMs();
  const service = await startProcess({
    command: "qemu-aarch64-static",
    args: ["-L", libraries, join(root, HOME, "bin/node"), join(root, HOME, "player/bundle/main.js")],
    env: { PLAYER_PORT: String(port), PLAYER_DATA_DIR: dataFolder },
    readyWhen: / is ready at /,
    withinMs: 120_000,
  });
  console.log(`arm64 in the emulator: ready after ${((clock.monotonicMs() - fromMs) / 1000).toFixed(1)} s`);
  const client = await createPlayerClient({ url: `https://localhost:${port}`, dataFolder });
  onTestFinished(async () => {
    client.close();
    await service.stop();
    await Promise.all([root, libraries].map((folder) => rm(folder, { recursive: true })));
  });
  expect((await client.get("/api/system")).body).toMatchObject({ version: "1.0.0" });
  expect((await client.post("/api/settings", { device_name: "Arm" })).status).toBe(200);
  const headers = { authorization: `Bearer ${client.token}` };
  const screenshot = () => client.ask({ method: "GET", path: "/api/debug/screenshot", headers });
  await expect.poll(async () => (await screenshot()).status, { timeout: 60_000 }).toBe(200);
  expect((await client.get("/api/system")).body.boot_failures).toEqual([]);
});
