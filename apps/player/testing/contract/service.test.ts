import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { simulatedBundle } from "../simulated-bundle.ts";
import { type ContractDevice, RECITER, STREAM, startContractDevice } from "./device.ts";
import { ENDPOINTS, quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());
beforeEach(() => device.calm());

describe(quote("All paths below are relative to {base_url}, which is https://<device-ip>/api."), () => {
  it.each(ENDPOINTS)("$row: is served below /api", ({ method, path }) => {
    const url = `/api${path.split("?")[0]?.replace(/\{(\w+)\}/, ":$1")}`;
    const served = device.app.registeredRoutes.map((route) => `${route.method} ${route.path}`);
    expect(served).toContain(`${method} ${url}`);
    expect(served).not.toContain(`${method} ${url.slice(4)}`);
  });

  it("encrypts by default", () => {
    expect(readConfig({}).hasTls).toBe(true);
  });
});

describe(
  quote(
    "A network appliance that plays recitation audio files from its removable card, or internet streams, and computes daily prayer times offline from the solar position.",
  ),
  () => {
    it("plays a file of the card", async () => {
      await device.playFile();
      expect(device.engine.loads.at(-1)).toMatchObject({
        location: `${device.cardFolder}/${RECITER}/002.mp3`,
        isLive: false,
      });
    });

    it("plays an internet stream", async () => {
      await device.playStream();
      expect(device.opened.at(-1)).toBe(STREAM);
      expect(device.engine.loads.at(-1)).toMatchObject({ isLive: true });
    });

    it("stops a file whose card was removed", async () => {
      await device.playFile();
      device.hands[0]?.eject();
      expect((await device.status()).state).toBe("stopped");
    });

    it("has noon when the sun is highest: close to 12:00 on the meridian of the zone, within the equation of time", async () => {
      await device.post("/prayer/config", { lat: 0, lng: 0 });
      const noon = (await device.get("/prayer")).body.epochs[2] % 86_400;
      // The equation of time is at most 16.5 minutes.
      expect(Math.abs(noon - 43_200)).toBeLessThan(17 * 60);
    });

    it("has 12 hours between sunrise and sunset at the equator, within ten minutes", async () => {
      await device.post("/prayer/config", { lat: 0, lng: 0 });
      const [, sunrise, , , sunset] = (await device.get("/prayer")).body.epochs;
      expect(Math.abs(sunset - sunrise - 43_200)).toBeLessThan(10 * 60);
    });
  },
);

it(quote("and accepts over-the-air firmware updates."), async () => {
  expect((await device.post("/ota/upload", simulatedBundle())).body).toMatchObject({ success: true });
});
