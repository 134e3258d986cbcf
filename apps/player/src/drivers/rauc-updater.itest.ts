import { readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeFirmwareUpdater, flipByte } from "../../testing/firmware-updater.contract.ts";
import { type HoldPoint, type RaucBench, startRaucBench } from "../../testing/rauc-bench.ts";
import { createRaucUpdater } from "./rauc-updater.ts";

const isFull = process.env.PROVE === "full";
const STEP_BYTES = 64 * 1024;
const ignore = () => undefined;
const clock = createClock();

describeFirmwareUpdater("RAUC", startRaucBench);

describe("RAUC on a damaged bundle", () => {
  let bench: RaucBench;
  let sound: Buffer;
  beforeAll(async () => {
    bench = await startRaucBench();
    sound = await readFile(await bench.bundle());
  });
  afterAll(() => bench.close());

  async function expectRefused(path: string): Promise<void> {
    await expect(bench.updater.inspect(path, "body")).rejects.toMatchObject({ kind: "invalid" });
    await expect(bench.updater.install(path, ignore)).rejects.toMatchObject({ kind: "failed" });
    expect(await bench.nextSlot()).toBe("A");
  }

  it("refuses it when it is truncated at steps of 64 KiB", async () => {
    const path = await bench.bundle();
    const steps = Array.from({ length: Math.ceil(sound.length / STEP_BYTES) }, (_each, index) => index * STEP_BYTES);
    for (const size of steps.filter((_size, index) => isFull || index % 5 === 0)) {
      await writeFile(path, sound);
      await truncate(path, size);
      await expectRefused(path);
    }
  }, 300_000);

  it("refuses it with one inverted byte, from the first to the last", async () => {
    const path = await bench.bundle();
    const places = Array.from({ length: isFull ? 101 : 11 }, (_each, index, most = isFull ? 100 : 10) => index / most);
    for (const share of places) {
      await writeFile(path, sound);
      await flipByte(path, share);
      await expectRefused(path);
    }
  }, 300_000);

  it("refuses it with extra bytes after its end", async () => {
    const path = await bench.bundle();
    await writeFile(path, Buffer.concat([sound, Buffer.alloc(4096)]));
    await expectRefused(path);
  });

  it("refuses to install a bundle for another device", async () => {
    const path = await bench.bundle({ compatible: "another-device" });
    await expect(bench.updater.install(path, ignore)).rejects.toThrow(
      "firmware: the bundle is made for another device",
    );
    expect(await bench.nextSlot()).toBe("A");
  });
});

describe("RAUC that is killed", () => {
  it.each<[HoldPoint, string]>([
    ["before-set-state", "A"],
    ["before-set-primary", "A"],
    ["after-set-primary", "B"],
  ])("leaves a bootable slot and rejects the pending call when it is killed at %s", async (point, next) => {
    const bench = await startRaucBench();
    const held = await bench.hold(point);
    const installing = bench.updater.install(await bench.bundle(), ignore);
    const outcome = installing.catch((error: unknown) => error);
    await held.reached();
    await bench.killRauc();
    await held.release();
    expect(await outcome).toMatchObject({ message: "firmware: RAUC ended while it was installing" });
    expect(await bench.nextSlot()).toBe(next);
    await bench.updater.markGood();
    expect(await bench.nextSlot()).toBe("A");
    await bench.updater.install(await bench.bundle(), ignore);
    expect(await bench.nextSlot()).toBe("B");
    await bench.close();
  });

  it("keeps the running slot when it is killed in the middle of writing", async () => {
    const bench = await startRaucBench({ imageBytes: 64 * 1024 * 1024 });
    // It must not finish before it can be killed.
    const held = await bench.hold("before-set-primary");
    const writtenMs = async () => (await stat(bench.otherSlotPath)).mtimeMs;
    const beforeMs = await writtenMs();
    const installing = bench.updater.install(await bench.bundle(), ignore);
    const outcome = installing.catch((error: unknown) => error);
    while ((await writtenMs()) === beforeMs) await clock.sleep(1);
    await bench.killRauc();
    await held.release();
    expect(await outcome).toMatchObject({ message: "firmware: RAUC ended while it was installing" });
    expect(await bench.nextSlot()).toBe("A");
    await bench.close();
  });
});

it("reports that there is no bus", async () => {
  const nowhere = `unix:path=${join(import.meta.dirname, "no-bus")}`;
  const updater = createRaucUpdater({ busAddress: nowhere, clock, log: silentLog });
  await expect(updater.running()).rejects.toMatchObject({
    kind: "failed",
    message: "firmware: the system bus cannot be reached",
  });
});
