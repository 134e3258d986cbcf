import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createSimulatedUpdater } from "../../src/drivers/simulated-updater.ts";
import { simulatedBundle } from "../simulated-bundle.ts";
import {
  type ContractDevice,
  type ContractDeviceOptions,
  MINUTE_MS,
  RECITER,
  STREAM,
  startContractDevice,
} from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());
beforeEach(() => device.calm());

const SUCCESS = { status: 200, body: { success: true } };
async function startOwn(options: ContractDeviceOptions = {}): Promise<ContractDevice> {
  const own = await startContractDevice(options);
  onTestFinished(() => own.close());
  return own;
}

describe(quote("| GET | /system | no | nothing | version, uptime, free_heap, NVS stats, boot_failures |"), () => {
  it(
    quote(
      "- GET /system: version (string), uptime, free_heap, NVS statistics, boot_failures (array of objects with component and error strings).",
    ),
    async () => {
      const { body } = await device.get("/system");
      expect(body).toMatchObject({
        version: expect.any(String),
        uptime: expect.any(Number),
        free_heap: expect.any(Number),
        nvs: expect.any(Object),
        boot_failures: expect.any(Array),
      });
      expect(Object.values(body.nvs).every((value) => typeof value === "number")).toBe(true);
    },
  );

  it(quote("The firmware version string is reported by GET /system."), async () => {
    const own = await startOwn({ version: "7.8.9" });
    expect((await own.get("/system")).body.version).toBe("7.8.9");
  });

  it("has an uptime that grows with the time", async () => {
    const { uptime } = (await device.get("/system")).body;
    await device.clock.advance(30_000);
    expect((await device.get("/system")).body.uptime - uptime).toBe(30);
  });

  it("names the component that did not start, and why", async () => {
    const engine = { start: () => Promise.reject(new Problem("failed", "audio: no sound card")) };
    const own = await startOwn({ parts: { engine: { ...device.engine, ...engine } } });
    const { boot_failures } = (await own.get("/system")).body;
    expect(boot_failures).toContainEqual({ component: "audio", error: "no sound card" });
    for (const each of boot_failures)
      expect(each).toEqual({ component: expect.any(String), error: expect.any(String) });
  });

  it("is a number of free bytes that a machine can have", async () => {
    const { free_heap } = (await device.get("/system")).body;
    expect(free_heap).toBeGreaterThan(0);
  });
});

describe(quote("The API has no version prefix."), () => {
  it.each(["/v1/system", "/v1/playback/status", "/1/system"])("GET /api%s is unknown", async (path) => {
    expect((await device.get(path)).status).toBe(404);
  });
});

describe(quote("| GET | /battery | no | nothing | present, voltage, percentage, charging |"), () => {
  it.each([
    [100, true],
    [57, false],
    [0, false],
  ])("has %d percent, charging: %s", async (percentage, charging) => {
    device.battery.become({ percentage, charging });
    const { body } = await device.get("/battery");
    expect(body).toMatchObject({ present: true, percentage, charging, voltage: expect.any(Number) });
    device.battery.become({ percentage: 100, charging: true });
  });

  it(quote("When present is false, no battery is attached and the other fields read zero."), async () => {
    device.battery.takeOut();
    const { body } = await device.get("/battery");
    expect(body).toMatchObject({ present: false, voltage: 0, percentage: 0 });
    expect(Number(body.charging)).toBe(0);
    device.battery.become({ percentage: 100, charging: true });
  });

  it(`${quote("- GET /battery: present, voltage, percentage, charging.")} Without a gauge they are the same`, async () => {
    const own = await startOwn({ parts: { battery: undefined } });
    expect(Object.keys((await own.get("/battery")).body).toSorted()).toEqual([
      "charging",
      "percentage",
      "present",
      "voltage",
    ]);
    expect((await own.get("/battery")).body.present).toBe(false);
  });
});

const target = `${RECITER}/002.mp3`;
const HOUR_MS = 60 * MINUTE_MS;

/** A schedule in an hour. */
async function schedule(own: ContractDevice): Promise<{ id: number; epoch: number }> {
  const due = new Date(own.clock.now().getTime() + HOUR_MS);
  const { body } = await own.post("/schedules", {
    hour: due.getUTCHours(),
    minute: due.getUTCMinutes(),
    days: 127,
    target,
  });
  return { id: body.id, epoch: Math.floor(due.getTime() / MINUTE_MS) * 60 };
}

describe(
  quote(
    "| POST | /system/sleep | yes | nothing | deep sleep now; wakes on the button or, with a real-time clock fitted, at the next enabled schedule |",
  ),
  () => {
    const sleep = async (own: ContractDevice) => {
      const answer = await own.post("/system/sleep");
      await own.clock.advance(1000);
      return answer;
    };

    it("sleeps, and has stopped all sound before", async () => {
      const own = await startOwn();
      await own.playFile();
      expect(await sleep(own)).toMatchObject(SUCCESS);
      expect(own.power.isAsleep()).toBe(true);
      expect(own.engine.commands.at(-1)).toBe("stop");
    });

    it("wakes on the button", async () => {
      const own = await startOwn();
      await sleep(own);
      own.power.wake();
      await own.clock.advance(0);
      expect(own.power.isAsleep()).toBe(false);
      expect((await own.status()).state).toBe("stopped");
    });

    it("sets the alarm of the clock chip for the next enabled schedule, early enough to be awake then", async () => {
      const own = await startOwn();
      const { epoch } = await schedule(own);
      await sleep(own);
      expect(own.chip.alarm()).toBeGreaterThan(epoch - 120);
      expect(own.chip.alarm()).toBeLessThanOrEqual(epoch);
      own.clock.jumpTo(new Date((own.chip.alarm() ?? 0) * 1000));
      await own.clock.advance(0);
    });

    it("sets no alarm for a schedule that is disabled", async () => {
      const own = await startOwn();
      const { id } = await schedule(own);
      await own.post(`/schedules/${id}/enable`, { enabled: false });
      await sleep(own);
      expect([own.power.isAsleep(), own.chip.alarm()]).toEqual([true, null]);
    });

    it("sets no alarm without a schedule", async () => {
      const own = await startOwn();
      await sleep(own);
      expect([own.power.isAsleep(), own.chip.alarm()]).toEqual([true, null]);
    });

    it("sleeps without a real-time clock, also when there is a schedule", async () => {
      const own = await startOwn({ parts: { chip: undefined } });
      await schedule(own);
      expect(await sleep(own)).toMatchObject(SUCCESS);
      expect(own.power.isAsleep()).toBe(true);
    });
  },
);

const idle = (own: ContractDevice, ms: number) => own.clock.advance(ms);

describe(quote("deep sleep after idle, 0 disables"), () => {
  it("sleeps after the minutes, and not before", async () => {
    const own = await startOwn();
    await own.post("/settings/auto-off", { auto_off_minutes: 2 });
    await idle(own, 2 * MINUTE_MS - 10_000);
    expect(own.power.isAsleep()).toBe(false);
    await idle(own, 20_000);
    expect(own.power.isAsleep()).toBe(true);
  });

  it("counts from the last command", async () => {
    const own = await startOwn();
    await own.post("/settings/auto-off", { auto_off_minutes: 1 });
    await idle(own, 50_000);
    await own.post("/playback/volume", { volume: 40 });
    await idle(own, 50_000);
    expect(own.power.isAsleep()).toBe(false);
  });

  it("never sleeps with 0", async () => {
    const own = await startOwn();
    await own.post("/settings/auto-off", { auto_off_minutes: 0 });
    await idle(own, 5 * MINUTE_MS);
    expect(own.power.isAsleep()).toBe(false);
  });
});

/** Its own clock stands still, so an installation does not end. */
const SLOW_UPDATER = createSimulatedUpdater({ clock: createFakeClock(), ids: createFakeIds() });

/** What keeps the device awake, and how it ends. */
const AWAKE: readonly (readonly [what: string, begin: (own: ContractDevice) => Promise<unknown>])[] = [
  ["playback of a file", (own) => own.playFile()],
  ["playback of a stream", (own) => own.playStream()],
  [
    "a hifz gap",
    async (own) => {
      await own.post("/playback/mode", { mode: "hifz_repeat", pause_s: 600 });
      await own.playFile();
      own.engine.emit("ended");
      await own.clock.advance(0);
      expect((await own.status()).hifz.waiting).toBe(true);
    },
  ],
  [
    "a drill that is paused",
    async (own) => {
      await own.post("/playback/mode", { mode: "hifz_repeat" });
      await own.playFile();
      await own.post("/playback/pause");
    },
  ],
  [
    "a firmware update",
    async (own) => {
      await own.post("/ota/upload", simulatedBundle());
      expect((await own.get("/ota/status")).body.in_progress).toBe(true);
    },
  ],
  [
    "a connected dashboard that has not sent the token",
    async (own) => {
      await own.app.listen({ host: "127.0.0.1", port: 0 });
      const socket = new WebSocket(`ws://127.0.0.1:${(own.app.server.address() as AddressInfo).port}/ws`);
      onTestFinished(() => socket.terminate());
      await once(socket, "message");
    },
  ],
];

describe(
  quote(
    "Playback, hifz gaps, drills, firmware updates and connected dashboard clients keep the device awake against auto-off.",
  ),
  () => {
    it.each(AWAKE)("%s", async (_what, begin) => {
      const own = await startOwn({ parts: { updater: SLOW_UPDATER } });
      await own.post("/settings/auto-off", { auto_off_minutes: 1 });
      await begin(own);
      // Sockets answer pings in real time: no jump is longer than their patience.
      for (let count = 0; count < 9; count += 1) {
        await idle(own, 10_000);
        await own.get("/system");
      }
      expect(own.power.isAsleep()).toBe(false);
    });

    it("a file that is paused without a drill does not", async () => {
      const own = await startOwn();
      await own.post("/settings/auto-off", { auto_off_minutes: 1 });
      await own.playFile();
      await own.post("/playback/pause");
      await idle(own, 90_000);
      expect(own.power.isAsleep()).toBe(true);
    });
  },
);

describe(quote("| POST | /reset | yes | nothing | factory reset; a new token is generated |"), () => {
  it("answers success, and forgets what the owner has stored", async () => {
    const own = await startOwn();
    await own.post("/favorites", { type: "stream", url: STREAM, name: "Radio" });
    await own.post("/radio/stations", { name: "Radio", url: STREAM });
    await own.post("/settings/brightness", { brightness: 3 });
    await own.post("/schedules", { hour: 6, minute: 30, days: 127, target });
    await own.post("/prayer/config", { lat: 21, lng: 39 });
    await own.playFile();
    own.flow(30_000);
    await own.post("/playback/stop");
    expect(await own.post("/reset")).toMatchObject(SUCCESS);
    expect((await own.get("/favorites")).body.favorites).toEqual([]);
    expect((await own.get("/radio/stations")).body.stations).toEqual([]);
    expect((await own.get("/schedules")).body.schedules).toEqual([]);
    expect((await own.get("/settings")).body.brightness).not.toBe(3);
    expect((await own.get("/prayer")).body.config).not.toHaveProperty("lat");
    expect((await own.status()).hasResumeState).toBe(false);
  });
});

const OTA = [
  ["in_progress", (value: unknown) => typeof value === "boolean"],
  ["progress", (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100],
  ["mode", (value: unknown) => ["pull", "upload", "idle"].includes(String(value))],
  ["status", (value: unknown) => typeof value === "string"],
  ["error", (value: unknown) => typeof value === "string"],
] as const;

describe(
  quote("Fields: in_progress (boolean), progress (integer 0..100), mode (pull, upload, idle), status, error."),
  () => {
    it.each(OTA)("%s has its type while nothing is installed", async (field, isValid) => {
      const { body } = await device.get("/ota/status");
      expect(body).toHaveProperty(field);
      expect(isValid(body[field])).toBe(true);
    });

    it("have their types at every step of an update", async () => {
      const own = await startOwn();
      await own.post("/ota/upload", simulatedBundle());
      for (let step = 0; step < 20; step += 1) {
        const { body } = await own.get("/ota/status");
        for (const [field, isValid] of OTA)
          expect([field, body[field], isValid(body[field])]).toEqual([field, body[field], true]);
        await own.clock.advance(200);
      }
    });
  },
);

describe(quote("| GET | /ota/status | no | default | nothing | update status object |"), () => {
  it("is idle before the first update", async () => {
    expect((await device.get("/ota/status")).body).toMatchObject({ in_progress: false, mode: "idle" });
  });
});

describe(quote("Update mode values: idle, pull, upload."), () => {
  it("upload: while an uploaded image is installed", async () => {
    const own = await startOwn();
    await own.post("/ota/upload", simulatedBundle());
    expect((await own.get("/ota/status")).body).toMatchObject({ in_progress: true, mode: "upload" });
  });

  it("pull: while an image is downloaded", async () => {
    const own = await startOwn();
    await own.post("/ota/pull", { url: "https://updates.example.com/firmware" });
    expect((await own.get("/ota/status")).body).toMatchObject({ in_progress: true, mode: "pull" });
    expect(own.opened).toEqual(["https://updates.example.com/firmware"]);
  });
});

describe(quote("| POST | /ota/upload | yes | 2 per minute | raw firmware image as body | result object |"), () => {
  it("installs the image", async () => {
    const own = await startOwn();
    expect(await own.post("/ota/upload", simulatedBundle())).toMatchObject(SUCCESS);
    const seen: number[] = [];
    for (let step = 0; step < 200; step += 1) {
      const { body } = await own.get("/ota/status");
      seen.push(body.progress);
      if (!body.in_progress) break;
      await own.clock.advance(200);
    }
    expect((await own.get("/ota/status")).body).toMatchObject({ in_progress: false, mode: "idle", error: "" });
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(seen.at(-1)).toBe(100);
  });

  it.each(["application/octet-stream", "application/json", "text/plain"])("reads the body raw as %s", async (type) => {
    const own = await startOwn();
    const answer = await own.post("/ota/upload", simulatedBundle(), { headers: { "content-type": type } });
    expect(answer).toMatchObject(SUCCESS);
  });

  it("refuses what is no firmware, says why, and installs nothing", async () => {
    const own = await startOwn();
    expect((await own.post("/ota/upload", Buffer.alloc(1000, "x"))).status).toBe(400);
    const { body } = await own.get("/ota/status");
    expect(body).toMatchObject({ in_progress: false, mode: "idle" });
    expect(body.error).not.toBe("");
  });
});

describe(
  quote("| GET | /debug/screenshot | yes | 10 per 10 seconds | nothing | the live screen as a 24-bit BMP image |"),
  () => {
    let own: ContractDevice;
    const shoot = async () => (await own.get("/debug/screenshot")).bytes;
    beforeAll(async () => {
      own = await startContractDevice({ hasScreen: true });
    });
    afterAll(() => own.close());

    it("is a BMP image", async () => {
      const answer = await own.get("/debug/screenshot");
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("image/bmp");
      expect(answer.bytes.toString("latin1", 0, 2)).toBe("BM");
      expect(answer.bytes.readUInt32LE(2)).toBe(answer.bytes.length);
    });

    it("has 24 bits for each pixel, and no compression", async () => {
      const image = await shoot();
      expect(image.readUInt16LE(28)).toBe(24);
      expect(image.readUInt32LE(30)).toBe(0);
    });

    it("holds all rows of the picture, each of them padded to four bytes", async () => {
      const image = await shoot();
      const rowBytes = Math.ceil((image.readInt32LE(18) * 3) / 4) * 4;
      expect(image.length - image.readUInt32LE(10)).toBe(rowBytes * Math.abs(image.readInt32LE(22)));
    });

    it("shows what happens now", async () => {
      const before = await shoot();
      await own.playFile();
      await own.clock.advance(2000);
      expect((await shoot()).equals(before)).toBe(false);
    });
  },
);
