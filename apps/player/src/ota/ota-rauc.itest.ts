import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HoldPoint, type RaucBench, startRaucBench } from "../../testing/rauc-bench.ts";
import { flippedAt } from "../../testing/simulated-bundle.ts";
import { createTestOta, type TestOtaOptions } from "../../testing/test-ota.ts";
import type { OtaBody } from "./ota.schema.ts";
import { TRANSFER_LIMITS } from "./transfer.ts";

type Device = Awaited<ReturnType<typeof startDevice>>;

const HOLDS: readonly HoldPoint[] = ["before-set-state", "before-set-primary", "after-set-primary"];

async function startBench(): Promise<RaucBench> {
  const bench = await startRaucBench();
  onTestFinished(() => bench.close());
  return bench;
}

/** Starts the service on the bench, with the stored data of an earlier one. */
async function startDevice(bench: RaucBench, options: TestOtaOptions = {}) {
  const device = await createTestOta({ clock: createClock(), ...options, updater: bench.createUpdater() });
  const address = await device.app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => device.app.close());
  const url = `${address}/api/ota/upload`;
  const started = device.ota.start();
  return {
    ...device,
    started,
    url,
    async send(bundle: Buffer) {
      const answered = await fetch(url, { method: "POST", body: new Uint8Array(bundle) });
      return { status: answered.status, body: await answered.json() };
    },
    reaches: (status: OtaBody["status"]) =>
      expect.poll(() => device.ota.status().status, { timeout: 20_000 }).toBe(status),
  };
}

/** Ends the service as a power cut would, and starts it again. */
async function startAgain(bench: RaucBench, former: Device, options: TestOtaOptions = {}): Promise<Device> {
  former.kill();
  return startDevice(bench, { ...options, dataFolder: former.dataFolder });
}

const readBundle = async (bench: RaucBench, ...options: Parameters<RaucBench["bundle"]>) =>
  readFile(await bench.bundle(...options));

describe("an upload on RAUC", () => {
  it("ends in the new slot, which passes its health checks", async () => {
    const bench = await startBench();
    const before = await startDevice(bench);
    await before.started;
    const restarted = bench.restarted();
    const { status, body } = await before.send(await readBundle(bench));
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, in_progress: true, mode: "upload" });
    await restarted;
    expect(before.statuses()).toEqual(["receiving", "verifying", "installing", "rebooting"]);
    const after = await startAgain(bench, before);
    await after.started;
    expect(after.statuses()).toEqual(["confirming", "success"]);
    expect((await bench.updater.running()).slot).toBe("rootfs.1");
    expect(await bench.nextSlot()).toBe("B");
  });

  it("rolls back to the former slot when a health check fails", async () => {
    const bench = await startBench();
    const before = await startDevice(bench);
    await before.started;
    const restarted = bench.restarted();
    await before.send(await readBundle(bench));
    await restarted;
    const clock = createFakeClock();
    const audio = { name: "audio", check: async () => Promise.reject(new Error("no such device")) };
    const back = bench.restarted();
    const after = await startAgain(bench, before, { clock, checks: [audio] });
    await after.reaches("confirming");
    expect(await bench.nextSlot()).toBe("B");
    for (let seconds = 0; seconds < 125; seconds += 1) await clock.advance(1000);
    await back;
    const last = await startAgain(bench, after);
    await last.started;
    expect(last.ota.status()).toMatchObject({ status: "rolled_back", error: "audio: no such device" });
    expect((await bench.updater.running()).slot).toBe("rootfs.0");
    expect(await bench.nextSlot()).toBe("A");
  });

  it("an upload on RAUC is rolled back by the boot loader when the new slot does not start", async () => {
    const bench = await startBench();
    const before = await startDevice(bench);
    await before.started;
    const restarted = bench.restarted();
    await before.send(await readBundle(bench));
    await restarted;
    await bench.updater.markBad();
    await bench.restart();
    const after = await startAgain(bench, before);
    await after.started;
    expect(after.ota.status()).toMatchObject({ status: "rolled_back", in_progress: false });
    expect(after.ota.status().error).toMatch(/did not start/);
  });

  it("an upload on RAUC is refused when it is forged, for another device, damaged or truncated", async () => {
    const bench = await startBench();
    const device = await startDevice(bench);
    await device.started;
    const sound = await readBundle(bench);
    const offers: [Buffer, RegExp][] = [
      [await readBundle(bench, { isForged: true }), /^body: is no bundle with a valid signature$/],
      [await readBundle(bench, { compatible: "clock" }), /^body: is made for 'clock', not for this device$/],
      [flippedAt(sound, 0.4), /^body: /],
      [sound.subarray(0, 64 * 1024), /^body: /],
    ];
    for (const [offer, error] of offers) {
      const { status, body } = await device.send(offer);
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringMatching(error) });
      expect(device.ota.status()).toMatchObject({ status: "failed", in_progress: false });
      expect(await bench.nextSlot()).toBe("A");
    }
  });

  it("an upload on RAUC that never ends is answered with 400 at the limit", async () => {
    const bench = await startBench();
    const device = await startDevice(bench, { limits: { ...TRANSFER_LIMITS, maxBytes: 1_000_000 } });
    await device.started;
    let sent = 0;
    const endless = request(device.url, { method: "POST" });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      endless.once("response", ({ statusCode }) => resolve(statusCode));
      endless.once("error", reject);
    });
    const pour = (): void => {
      while (!endless.destroyed && sent < 50_000_000) {
        sent += 100_000;
        if (!endless.write(Buffer.alloc(100_000))) return void endless.once("drain", pour);
      }
    };
    pour();
    expect(await answered).toBe(400);
    endless.destroy();
    expect(sent).toBeLessThan(50_000_000);
    expect(device.ota.status().error).toBe("body: must be at most 1000000 bytes");
  });
});

describe("a service that is killed", () => {
  async function expectFormerSystem(bench: RaucBench, device: Device): Promise<void> {
    await device.started;
    expect(device.statuses()).not.toContain("success");
    expect(device.ota.status()).toMatchObject({ status: "failed", in_progress: false, mode: "idle" });
    expect(await bench.nextSlot()).toBe("A");
    await bench.restart();
    expect((await bench.updater.running()).slot).toBe("rootfs.0");
  }

  it("reports failed when it was receiving", async () => {
    const bench = await startBench();
    const device = await startDevice(bench);
    await device.started;
    const sending = request(device.url, { method: "POST" });
    sending.on("error", () => undefined);
    sending.write(Buffer.alloc(100_000));
    await device.reaches("receiving");
    const again = await startAgain(bench, device);
    sending.destroy();
    await expectFormerSystem(bench, again);
  });

  it.each(HOLDS)("reports failed when RAUC waits at %s, and the former slot boots", async (point) => {
    const bench = await startBench();
    const device = await startDevice(bench);
    await device.started;
    const held = await bench.hold(point);
    await device.send(await readBundle(bench));
    await held.reached();
    const again = await startAgain(bench, device);
    await held.release();
    await expectFormerSystem(bench, again);
  });

  it("confirms the new system from the beginning when it was running on it", async () => {
    const bench = await startBench();
    const device = await startDevice(bench);
    await device.started;
    const restarted = bench.restarted();
    await device.send(await readBundle(bench));
    await restarted;
    const stuck = { name: "http", check: () => new Promise<void>(() => undefined) };
    const killed = await startAgain(bench, device, { checks: [stuck] });
    await killed.reaches("confirming");
    const again = await startAgain(bench, killed);
    await again.started;
    expect(again.statuses()).toEqual(["confirming", "success"]);
    expect(await bench.nextSlot()).toBe("B");
  });
});

describe("an update whose RAUC is killed", () => {
  it.each(HOLDS)("fails when it is killed at %s, and the former slot boots", async (point) => {
    const bench = await startBench();
    const device = await startDevice(bench);
    await device.started;
    const held = await bench.hold(point);
    await device.send(await readBundle(bench));
    await held.reached();
    await bench.killRauc();
    await held.release();
    await device.reaches("failed");
    expect(device.statuses()).not.toContain("success");
    expect(await bench.nextSlot()).toBe("A");
  });
});
