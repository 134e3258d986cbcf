import { Readable } from "node:stream";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { flippedAt, simulatedBundle } from "../../testing/simulated-bundle.ts";
import { createTestOta } from "../../testing/test-ota.ts";
import type { FirmwareUpdater } from "./firmware-updater.ts";
import { TRANSFER_LIMITS } from "./transfer.ts";
import type { Update } from "./update.ts";

const IDLE = { in_progress: false, progress: 0, mode: "idle", status: "idle", error: "" };

const down: FirmwareUpdater["running"] = async () => {
  throw new Problem("failed", "firmware: RAUC cannot be reached");
};

describe("an upload", () => {
  it("passes through every step to success, with a progress that never decreases", async () => {
    const { app, upload, until, statuses, emitted } = await createTestOta();
    expect((await app.inject("/api/ota/status")).json()).toEqual(IDLE);
    const answer = await upload(simulatedBundle());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ success: true, in_progress: true, mode: "upload", error: "" });
    await until("success");
    expect(statuses()).toEqual(["receiving", "verifying", "installing", "rebooting", "confirming", "success"]);
    const progress = emitted.map((status) => status.progress);
    expect(progress.toSorted((one, other) => one - other)).toEqual(progress);
    expect(emitted.length).toBeLessThan(110);
    const done = { in_progress: false, progress: 100, mode: "idle", status: "success", error: "" };
    expect((await app.inject("/api/ota/status")).json()).toEqual(done);
  });

  it.each([
    ["with an unknown signature", simulatedBundle({ isForged: true }), "body: is no bundle with a valid signature"],
    ["for another device", simulatedBundle({ compatible: "clock" }), "body: is made for 'clock', not for this device"],
    ["that is not a bundle", Buffer.from("hello"), "body: is no bundle with a valid signature"],
    ["that is empty", Buffer.alloc(0), "body: must not be empty"],
  ])("%s is refused, and the status reports it", async (_what, bundle, error) => {
    const { app, upload, updater, clock } = await createTestOta();
    const before = await updater.running();
    const refused = await upload(bundle);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ error });
    expect((await app.inject("/api/ota/status")).json()).toMatchObject({ in_progress: false, status: "failed", error });
    const restarted = updater.reboot();
    await clock.advance(1000);
    await restarted;
    expect((await updater.running()).slot).toBe(before.slot);
  });

  it("an upload may install an older version", async () => {
    const { upload, until } = await createTestOta();
    expect((await upload(simulatedBundle({ version: "1.0.0" }))).statusCode).toBe(200);
    await until("success");
  });

  it("fails when its payload is damaged, and the running system stays", async () => {
    const { ota, upload, until, updater } = await createTestOta();
    const before = await updater.running();
    expect((await upload(flippedAt(simulatedBundle(), 0.5))).statusCode).toBe(200);
    await until("failed");
    expect(ota.status()).toMatchObject({ in_progress: false, mode: "idle" });
    expect(ota.status().error).toMatch(/^firmware: the bundle/);
    expect((await updater.running()).slot).toBe(before.slot);
  });

  it("an upload is refused while another update is in progress, and accepted afterwards", async () => {
    const { upload, until } = await createTestOta();
    await upload(simulatedBundle());
    const second = await upload(simulatedBundle());
    expect([second.statusCode, second.json()]).toEqual([400, { error: "ota: an update is in progress already" }]);
    await until("success");
    expect((await upload(simulatedBundle())).statusCode).toBe(200);
  });

  it.each([
    [{ present: true, percentage: 19, charging: false }, 400],
    [{ present: true, percentage: 20, charging: false }, 200],
    [{ present: true, percentage: 3, charging: true }, 200],
    [{ present: false, percentage: 0, charging: false }, 200],
  ])("an upload with a battery of %j is answered %i", async (battery, status) => {
    const { app, upload } = await createTestOta({ battery: async () => battery });
    const answer = await upload(simulatedBundle());
    expect(answer.statusCode).toBe(status);
    if (status === 200) return;
    expect(answer.json()).toEqual({ error: "battery: must be at 20 % or charging" });
    expect((await app.inject("/api/ota/status")).json()).toEqual(IDLE);
  });

  it("an upload that never ends is stopped at the limit", async () => {
    const limits = { ...TRANSFER_LIMITS, maxBytes: 300_000 };
    const { app, ota } = await createTestOta({ limits });
    let sent = 0;
    const endless = new Readable({
      read() {
        sent += 50_000;
        this.push(Buffer.alloc(50_000));
      },
    });
    const refused = await app.inject({ method: "POST", url: "/api/ota/upload", payload: endless });
    expect([refused.statusCode, refused.json()]).toEqual([400, { error: "body: must be at most 300000 bytes" }]);
    expect(sent).toBeLessThan(1_000_000);
    expect(ota.status().status).toBe("failed");
  });
});

describe("a new system", () => {
  it("a new system is rolled back when a health check fails", async () => {
    let trials = 0;
    const audio = {
      name: "audio",
      check: async () => {
        trials += 1;
        throw new Problem("failed", "audio: no such device");
      },
    };
    const { ota, upload, until, statuses, updater } = await createTestOta({ checks: [audio] });
    const before = await updater.running();
    await upload(simulatedBundle());
    await until("rolled_back");
    expect(statuses().slice(-4)).toEqual(["rebooting", "confirming", "rebooting", "rolled_back"]);
    expect(ota.status()).toMatchObject({ in_progress: false, mode: "idle", error: "audio: no such device" });
    expect((await updater.running()).slot).toBe(before.slot);
    expect(trials).toBeGreaterThan(10);
  });

  it("a new system is confirmed only after all checks", async () => {
    const seen: string[] = [];
    const { ota, upload, until } = await createTestOta({
      checks: ["http", "audio", "settings"].map((name) => ({
        name,
        check: async () => void seen.push(`${name} while ${ota.status().status}`),
      })),
    });
    await upload(simulatedBundle());
    await until("success");
    expect(seen).toEqual(["http while confirming", "audio while confirming", "settings while confirming"]);
  });
});

describe("the service after a restart", () => {
  const cut: Update = {
    mode: "upload",
    status: "installing",
    progress: 60,
    error: "",
    slot: "a",
    boot_id: "former boot",
    trials: 0,
  };

  it.each([
    ["downloading", "failed"],
    ["receiving", "failed"],
    ["verifying", "failed"],
    ["installing", "failed"],
    ["rebooting", "rolled_back"],
    ["confirming", "rolled_back"],
    ["success", "success"],
    ["failed", "failed"],
    ["rolled_back", "rolled_back"],
  ] as const)("marks an update that was %s as %s on the former system", async (status, verdict) => {
    const first = await createTestOta();
    first.store.save({ ...cut, status });
    first.kill();
    const { ota } = await createTestOta({ dataFolder: first.dataFolder });
    await ota.start();
    expect(ota.status()).toMatchObject({ status: verdict, in_progress: false, mode: "idle" });
  });

  it("confirms an update on the new system only after the health checks", async () => {
    const first = await createTestOta();
    first.store.save({ ...cut, status: "rebooting", slot: "b" });
    first.kill();
    const { ota, statuses } = await createTestOta({ dataFolder: first.dataFolder });
    expect(ota.status()).toMatchObject({ status: "rebooting", in_progress: true });
    await ota.start();
    expect(statuses()).toEqual(["confirming", "success"]);
  });

  it("rolls back a system on which the service crashes three times during its trial", async () => {
    const first = await createTestOta();
    first.store.save({ ...cut, status: "confirming", slot: "b", trials: 3 });
    first.kill();
    const { ota, until, updater } = await createTestOta({ dataFolder: first.dataFolder });
    void ota.start();
    await until("rolled_back");
    expect((await updater.running()).slot).toBe("b");
  });

  it("refuses an update until the former one is settled", async () => {
    const first = await createTestOta();
    first.store.save({ ...cut, status: "rebooting" });
    first.kill();
    const { upload } = await createTestOta({ dataFolder: first.dataFolder });
    expect((await upload(simulatedBundle())).json()).toEqual({ error: "ota: an update is in progress already" });
  });
});

describe("a device whose updater is unreachable", () => {
  it("reports a boot failure and answers 500, and keeps the record of the last update", async () => {
    const first = await createTestOta();
    const confirming: Update = {
      ...{ mode: "pull", status: "confirming", progress: 95, error: "" },
      ...{ slot: "b", boot_id: "former boot", trials: 1 },
    };
    first.store.save(confirming);
    const { updater, dataFolder } = first;
    first.kill();
    const { ota, store, upload } = await createTestOta({ dataFolder, updater: { ...updater, running: down } });
    await ota.start();
    expect(ota.failure()).toEqual({ component: "firmware", error: "RAUC cannot be reached" });
    expect(ota.status()).toMatchObject({ status: "failed", error: "firmware: RAUC cannot be reached" });
    expect(store.find()).toEqual(confirming);
    const refused = await upload(simulatedBundle());
    expect([refused.statusCode, refused.json()]).toEqual([500, { error: "firmware: RAUC cannot be reached" }]);
    expect(store.find()).toEqual(confirming);
  });

  it("a device whose updater is unreachable has no boot failure when the updater answers", async () => {
    const { ota } = await createTestOta();
    await ota.start();
    expect(ota.failure()).toBe(undefined);
    expect(ota.status()).toEqual(IDLE);
  });
});

it("starts nothing when the record cannot be saved", async () => {
  const { store } = await createTestOta();
  const full = () => {
    throw new Problem("failed", "storage: the device's storage is full");
  };
  const { ota, upload } = await createTestOta({ store: { ...store, save: full } });
  const refused = await upload(simulatedBundle());
  expect([refused.statusCode, refused.json()]).toEqual([500, { error: "storage: the device's storage is full" }]);
  expect(ota.status()).toEqual(IDLE);
});
