import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FirmwareUpdater } from "../src/ota/firmware-updater.ts";
import { type BundleOptions, flippedAt } from "./simulated-bundle.ts";

/** A device to be updated. */
export interface UpdaterBench {
  updater: FirmwareUpdater;
  compatible: string;
  /** Creates a bundle and returns its path. */
  bundle(options?: BundleOptions): Promise<string>;
  /** Restarts the device through the updater and waits until it runs again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The contract of every updater, on bundles of its own kind. */
export function describeFirmwareUpdater(name: string, open: () => Promise<UpdaterBench>): void {
  describe(name, () => {
    let bench: UpdaterBench;
    beforeAll(async () => {
      bench = await open();
    });
    afterAll(() => bench.close());

    const refusal = (path: string) => bench.updater.inspect(path, "body");
    const slot = async () => (await bench.updater.running()).slot;

    it("returns the version and the device type of a bundle", async () => {
      const path = await bench.bundle({ version: "2.4.0", compatible: "another-device" });
      expect(await bench.updater.inspect(path, "body")).toEqual({ version: "2.4.0", compatible: "another-device" });
      expect((await bench.updater.running()).compatible).toBe(bench.compatible);
    });

    it("refuses a bundle with an unknown signature", async () => {
      await expect(refusal(await bench.bundle({ isForged: true }))).rejects.toMatchObject({
        kind: "invalid",
        message: "body: is no bundle with a valid signature",
      });
    });

    it.each([
      ["text", Buffer.from("hello")],
      ["zeros", Buffer.alloc(200_000)],
      ["a single byte", Buffer.from([1])],
    ])("refuses %s as a bundle", async (_what, content) => {
      const path = await bench.bundle();
      await writeFile(path, content);
      await expect(refusal(path)).rejects.toMatchObject({
        kind: "invalid",
        message: "body: is no bundle with a valid signature",
      });
    });

    it("installs into the inactive slot, and boots it after a restart", async () => {
      const before = await bench.updater.running();
      const progress: number[] = [];
      await bench.updater.install(await bench.bundle(), (percent) => progress.push(percent));
      expect(await bench.updater.running()).toEqual(before);
      expect(progress.toSorted((one, other) => one - other)).toEqual(progress);
      expect(progress.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
      await bench.restart();
      const after = await bench.updater.running();
      expect(after.slot).not.toBe(before.slot);
      expect(after.bootId).not.toBe(before.bootId);
      await bench.updater.markGood();
    });

    it("lists both slots with the digest of what was installed into them", async () => {
      const listed = async () => {
        const slots = await bench.updater.slots();
        return new Map(slots.map((each) => [each.is_booted ? "booted" : "other", each]));
      };
      const before = await listed();
      expect(before.size).toBe(2);
      expect(before.get("booted")?.name).toBe(await slot());
      await bench.updater.install(await bench.bundle(), () => undefined);
      const after = await listed();
      expect(after.get("booted")).toEqual(before.get("booted"));
      expect(after.get("other")?.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(after.get("other")?.hash).not.toBe(before.get("other")?.hash);
      await bench.restart();
      expect((await listed()).get("booted")).toEqual({ ...after.get("other"), is_booted: true });
      await bench.updater.markGood();
    });

    it("returns to the other slot when the new one is marked bad, and stays there", async () => {
      const before = await slot();
      await bench.updater.install(await bench.bundle(), () => undefined);
      await bench.restart();
      expect(await slot()).not.toBe(before);
      await bench.updater.markBad();
      await bench.restart();
      expect(await slot()).toBe(before);
      await bench.restart();
      expect(await slot()).toBe(before);
    });

    it("keeps the running slot when it is marked good after an installation", async () => {
      const before = await slot();
      await bench.updater.install(await bench.bundle(), () => undefined);
      await bench.updater.markGood();
      await bench.restart();
      expect(await slot()).toBe(before);
    });

    it("never boots a damaged bundle, wherever the damage is", async () => {
      const before = await slot();
      for (const share of [0.01, 0.5, 0.9]) {
        const path = await bench.bundle();
        await flipByte(path, share);
        await expect(bench.updater.install(path, () => undefined)).rejects.toMatchObject({ kind: "failed" });
        await bench.restart();
        expect(await slot()).toBe(before);
      }
    });
  });
}

/** Inverts all bits of one byte of a file. */
export async function flipByte(path: string, share: number): Promise<void> {
  await writeFile(path, flippedAt(await readFile(path), share));
}
