import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSimulatedWifi } from "../../src/drivers/simulated-wifi.ts";
import type { WifiNetwork } from "../../src/settings/wifi-manager.ts";
import { type ContractDevice, RECITER, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

const SECRET = "correct horse battery";
const SUCCESS = { status: 200, body: { success: true } };
const joined: WifiNetwork[] = [];
/** What the backlight was set to. */
const shown: number[] = [];

let device: ContractDevice;
beforeAll(async () => {
  const wifi = createSimulatedWifi({ ssid: "First", password: "first password" });
  device = await startContractDevice({
    hasScreen: true,
    parts: {
      backlight: { start: async () => undefined, set: async (value) => void shown.push(value) },
      wifi: {
        ...wifi,
        join: (network, signal) => {
          joined.push(network);
          return wifi.join(network, signal);
        },
      },
    },
  });
});
afterAll(() => device.close());

const read = async () => (await device.get("/settings")).body;

describe(quote("| GET | /settings | no | nothing | redacted settings |"), () => {
  it.each(["ssid", "time_synced", "time_source", "time_format_24h", "rtc_temperature"])("has %s", async (field) => {
    expect(await read()).toHaveProperty(field);
  });

  it(
    quote(
      "GET /settings returns all settings with credentials redacted (the SSID is returned, the password never), plus: the current time, time_synced, time_source (none, rtc, sntp, manual), time_format_24h, and rtc_temperature when a real-time clock chip is fitted.",
    ),
    async () => {
      expect(await read()).toMatchObject({
        ssid: expect.any(String),
        time_synced: expect.any(Boolean),
        time_source: expect.stringMatching(/^(none|rtc|sntp|manual)$/),
        time_format_24h: expect.any(Boolean),
        rtc_temperature: expect.any(Number),
        time: Math.floor(device.clock.now().getTime() / 1000),
      });
    },
  );

  it("has no rtc_temperature without a clock chip", async () => {
    const own = await startContractDevice({ parts: { chip: undefined } });
    expect((await own.get("/settings")).body).not.toHaveProperty("rtc_temperature");
    await own.close();
  });

  it("has time_source none while neither a chip nor a server has given a time", async () => {
    const systemClock = {
      now: () => 0,
      isSynchronised: async () => false,
      allowServers: async () => undefined,
      set: async () => undefined,
    };
    const own = await startContractDevice({ parts: { chip: undefined, systemClock } });
    expect((await own.get("/settings")).body).toMatchObject({ time_source: "none", time_synced: false });
    await own.close();
  });

  it("has every value that a settings route has set", async () => {
    await device.post("/settings/brightness", { brightness: 77 });
    await device.post("/settings/auto-resume", { enabled: true });
    await device.post("/settings/auto-off", { auto_off_minutes: 45 });
    await device.post("/settings/card-removal", { policy: "stop" });
    await device.post("/settings/timezone", { timezone: "EST5EDT,M3.2.0,M11.1.0" });
    const text = JSON.stringify(await read());
    for (const value of ["77", "true", "45", '"stop"', '"EST5EDT,M3.2.0,M11.1.0"']) expect(text).toContain(value);
    await device.post("/settings/auto-off", { auto_off_minutes: 0 });
  });
});

describe("the Wi-Fi", () => {
  it(`joins the network: ${quote("| POST | /settings/wifi | yes | ssid, password | device reconnects |")}`, async () => {
    expect(await device.post("/settings/wifi", { ssid: "Second", password: SECRET })).toMatchObject(SUCCESS);
    await device.clock.advance(1000);
    expect(joined).toEqual([{ ssid: "Second", password: SECRET }]);
    expect((await read()).ssid).toBe("Second");
  });

  it.each([
    "/settings",
    "/system",
    "/playback/status",
    "/prayer",
    "/ota/status",
    "/battery",
    "/rfid/scan",
    "/schedules",
    "/settings/wifi/networks",
    "/backup",
  ])("never returns the password: GET %s", async (path) => {
    expect((await device.get(path)).text).not.toContain(SECRET);
  });

  it("does not return it in the answer and in an error, either", async () => {
    expect((await device.post("/settings/wifi", { ssid: "Second", password: SECRET })).text).not.toContain(SECRET);
    expect((await device.post("/settings/wifi", { ssid: 5, password: SECRET })).text).not.toContain(SECRET);
    expect((await device.post("/settings/wifi", { ssid: "Second", password: [SECRET] })).text).not.toContain(SECRET);
  });
});

describe(quote("| POST | /settings/brightness | yes | brightness (integer 0..255) | result object |"), () => {
  it.each([0, 128, 255])("%d reaches the backlight", async (brightness) => {
    expect(await device.post("/settings/brightness", { brightness })).toMatchObject(SUCCESS);
    expect(shown.at(-1)).toBe(brightness);
    expect((await read()).brightness).toBe(brightness);
  });
});

describe(
  quote("| POST | /settings/timezone | yes | timezone (POSIX rule string; printable ASCII) | result object |"),
  () => {
    it.each([
      ["UTC0", "2026-01-01"],
      ["<+03>-3", "2026-01-01"],
      ["EST5EDT,M3.2.0,M11.1.0", "2025-12-31"],
    ])("%s makes the date %s", async (timezone, date) => {
      const own = await startContractDevice({ start: new Date("2026-01-01T00:00:00Z") });
      expect(await own.post("/settings/timezone", { timezone })).toMatchObject(SUCCESS);
      expect((await own.get("/prayer")).body.date).toBe(date);
      await own.close();
    });
  },
);

describe(
  quote(
    "| POST | /settings/time-format | yes | time_format_24h (boolean); default is 12-hour; applied to the display immediately | result object |",
  ),
  () => {
    it("is the 12-hour format on a new device", async () => {
      const own = await startContractDevice();
      expect((await own.get("/settings")).body.time_format_24h).toBe(false);
      await own.close();
    });

    it("is stored", async () => {
      expect(await device.post("/settings/time-format", { time_format_24h: true })).toMatchObject(SUCCESS);
      expect((await read()).time_format_24h).toBe(true);
    });

    it("changes the display before a second has passed", async () => {
      // In the afternoon, when both formats differ.
      await device.post("/settings/time", { epoch: Date.UTC(2026, 0, 1, 20, 15) / 1000 });
      await device.post("/settings/time-format", { time_format_24h: false });
      await device.clock.advance(2000);
      const before = (await device.get("/debug/screenshot")).bytes;
      await device.post("/settings/time-format", { time_format_24h: true });
      await device.clock.advance(200);
      await vi.waitFor(async () => expect((await device.get("/debug/screenshot")).bytes.equals(before)).toBe(false));
      await device.post("/settings/time-format", { time_format_24h: false });
      await device.clock.advance(200);
      await vi.waitFor(async () => expect((await device.get("/debug/screenshot")).bytes.equals(before)).toBe(true));
    });
  },
);

describe(
  quote(
    "| POST | /settings/time | yes | epoch (Unix seconds); sets the system clock and the real-time clock | result object |",
  ),
  () => {
    const EPOCH = 1_800_000_000;

    it("sets the system clock", async () => {
      expect(await device.post("/settings/time", { epoch: EPOCH })).toMatchObject(SUCCESS);
      expect(await read()).toMatchObject({ time: EPOCH, time_source: "manual" });
    });

    it("sets the real-time clock", async () => {
      await device.post("/settings/time", { epoch: EPOCH + 60 });
      expect((await device.chip.read())?.epochS).toBe(EPOCH + 60);
    });
  },
);

describe(quote("| POST | /settings/auto-resume | yes | enabled (boolean) | result object |"), () => {
  it.each([true, false])("stores %s", async (enabled) => {
    expect(await device.post("/settings/auto-resume", { enabled })).toMatchObject(SUCCESS);
    expect((await read()).auto_resume).toBe(enabled);
  });
});

describe(quote("| POST | /settings/card-removal | yes | policy (continue, pause, stop) | result object |"), () => {
  it.each([
    ["continue", "playing"],
    ["pause", "paused"],
    ["stop", "stopped"],
  ])("%s: what a card has started is %s after the card was removed", async (policy, state) => {
    expect(await device.post("/settings/card-removal", { policy })).toMatchObject(SUCCESS);
    expect((await read()).card_removal).toBe(policy);
    await device.calm();
    const binding = { type: "surah", reciter: RECITER, surah: 2 };
    await device.post("/rfid/cards", { uid: "04A1B2C3", name: "Bedtime", binding });
    device.reader.tap("04A1B2C3");
    await vi.waitFor(async () => expect((await device.status()).state).toBe("playing"));
    device.flow();
    await device.clock.advance(3000);
    device.reader.lift();
    await device.clock.advance(2000);
    expect((await device.status()).state).toBe(state);
  });
});

describe(
  quote(
    "| POST | /settings/auto-off | yes | auto_off_minutes (integer 0..240); deep sleep after idle, 0 disables | result object |",
  ),
  () => {
    it.each([0, 1, 240])("stores %d", async (auto_off_minutes) => {
      expect(await device.post("/settings/auto-off", { auto_off_minutes })).toMatchObject(SUCCESS);
      expect((await read()).auto_off_minutes).toBe(auto_off_minutes);
    });
  },
);
