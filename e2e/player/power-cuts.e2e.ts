import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { count } from "../counts.ts";
import { expectKept, newKnowledge, writeEverything } from "./acknowledged-writes.ts";
import { createPlayerClient } from "./client.ts";

const clock = createClock();
const run = promisify(execFile);
const CUTS = count({ ci: 3, full: 200 });
const SEED = 7;
const ROOT = new URL("../../", import.meta.url).pathname;
const DISK = join(import.meta.dirname, "forgetful_disk.py");

/** Why no disk of our own can be mounted here; undefined if one can be. */
function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may mount a disk";
  if (spawnSync("test", ["-c", "/dev/fuse"]).status !== 0) return "this machine has no /dev/fuse";
  if (spawnSync("/usr/bin/python3", ["-c", "import fusepy"]).status !== 0) return "python3-fusepy is not installed";
  return undefined;
}

const obstacle = findObstacle();

interface Disk {
  dataFolder: string;
  /** The disk stops answering at this instant. */
  cutPower(): Promise<void>;
}

async function mountDisk(durable: string, seed: number): Promise<Disk> {
  const mountPoint = await mkdtemp(join(tmpdir(), "forgetful-"));
  const sign = `${durable}.cut`;
  await rm(sign, { force: true });
  const disk = await startProcess({
    command: "/usr/bin/python3",
    args: [DISK, mountPoint, durable, String(seed)],
    readyWhen: /the disk is mounted/,
  });
  return {
    dataFolder: join(mountPoint, "data"),
    async cutPower() {
      await writeFile(sign, "");
      await expect.poll(() => disk.output(), { interval: 2 }).toContain("the power has failed");
      await disk.stop();
      // A disk that has ended may have been unmounted with it.
      await run("umount", ["--lazy", mountPoint]).catch((error: unknown) =>
        expect(String(error)).toContain("not mounted"),
      );
    },
  };
}

function startPlayer(dataFolder: string, card: string, port: number): Promise<StartedProcess> {
  return startProcess({
    command: process.execPath,
    args: [join(ROOT, "apps/player/bundle/main.js")],
    env: {
      PLAYER_PORT: String(port),
      PLAYER_DATA_DIR: dataFolder,
      PLAYER_CARD_DIR: card,
      PLAYER_DRIVERS: "simulated",
      PLAYER_LIMITS: "off",
    },
    readyWhen: / is ready at /,
    withinMs: 90_000,
  });
}

it.skipIf(obstacle !== undefined)(
  `loses nothing acknowledged when the power fails and the disk forgets what was not synced (${CUTS})${
    obstacle === undefined ? "" : `: ${obstacle}`
  }`,
  async () => {
    const durable = await mkdtemp(join(tmpdir(), "durable-"));
    const card = await mkdtemp(join(tmpdir(), "card-"));
    await mkdir(join(card, "Husary"));
    const moment = fc.record({
      seed: fc.noBias(fc.integer({ min: 1, max: 1_000_000 })),
      // One of four while it starts.
      isDuringStart: fc.noBias(fc.constantFrom(true, false, false, false)),
      startMs: fc.noBias(fc.integer({ min: 0, max: 3000 })),
      writes: fc.noBias(fc.integer({ min: 1, max: 60 })),
      pauseMs: fc.noBias(fc.integer({ min: 0, max: 20 })),
    });
    const knowledge = newKnowledge();
    let token: string | undefined;
    for (const { seed, isDuringStart, startMs, writes, pauseMs } of fc.sample(moment, { numRuns: CUTS, seed: SEED })) {
      const disk = await mountDisk(durable, seed);
      const port = await freePort();
      const starting = startPlayer(disk.dataFolder, card, port);
      if (isDuringStart) {
        await Promise.race([starting, clock.sleep(startMs)]).catch(() => undefined);
        await disk.cutPower();
        await starting.then((player) => player.stop("SIGKILL")).catch(() => undefined);
        continue;
      }
      const player = await starting;
      const client = await createPlayerClient({ url: `https://localhost:${port}`, dataFolder: disk.dataFolder });
      expect(client.token).toBe(token ?? client.token);
      token = client.token;
      expect((await client.get("/api/system")).body.boot_failures).toEqual([]);
      await expectKept(client, knowledge);
      knowledge.isOver = false;
      const wanted = knowledge.writes + writes;
      const writing = writeEverything(client, knowledge);
      await expect.poll(() => knowledge.writes, { interval: 1, timeout: 60_000 }).toBeGreaterThanOrEqual(wanted);
      await clock.sleep(pauseMs);
      knowledge.isOver = true;
      await disk.cutPower();
      await player.stop("SIGKILL");
      await writing;
      client.close();
    }
    const disk = await mountDisk(durable, 1);
    const port = await freePort();
    const player = await startPlayer(disk.dataFolder, card, port);
    const client = await createPlayerClient({ url: `https://localhost:${port}`, dataFolder: disk.dataFolder });
    expect((await client.get("/api/system")).body.boot_failures).toEqual([]);
    await expectKept(client, knowledge);
    expect(await readFile(join(disk.dataFolder, "token"), "utf8")).toContain(token ?? client.token);
    client.close();
    await player.stop();
    await disk.cutPower();
    console.log(`player: ${CUTS} power cuts on a forgetful disk, ${knowledge.writes} acknowledged writes, none lost`);
    expect(knowledge.writes).toBeGreaterThan(CUTS);
  },
);
