import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createSimulatedAdvertiser, type SimulatedAdvertiser } from "../drivers/simulated-advertiser.ts";
import { createAdvertisingService } from "./advertising.service.ts";

function setUp({ hasAdvertiser = true } = {}) {
  const clock = createFakeClock();
  const simulated = createSimulatedAdvertiser();
  const world = { device_name: "Manara", isSilent: false };
  const advertiser: SimulatedAdvertiser = {
    ...simulated,
    advertise: async (service) => {
      if (world.isSilent) throw new Problem("failed", "advertiser: Avahi does not answer");
      await simulated.advertise(service);
    },
  };
  const listeners = new Set<() => void>();
  const warnings: string[] = [];
  const advertising = createAdvertisingService({
    advertiser: hasAdvertiser ? advertiser : undefined,
    settings: {
      get: () => world,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    hostname: () => "manara",
    port: 8443,
    hasTls: true,
    clock,
    log: { ...silentLog, warn: (_fields: object, message: string) => warnings.push(message) },
  });
  const rename = (device_name: string) => {
    world.device_name = device_name;
    for (const listener of listeners) listener();
  };
  return { clock, advertiser, advertising, world, rename, warnings };
}

it("advertises the device's name, and a new name immediately", async () => {
  const { clock, advertiser, advertising, rename } = setUp();
  await advertising.start();
  expect(advertiser.found()).toEqual({ name: "Manara on manara", port: 8443, hasTls: true });
  rename("Kitchen");
  await clock.advance(0);
  expect(advertiser.found()).toMatchObject({ name: "Kitchen on manara" });
  await advertising.close();
  expect(advertiser.found()).toBeUndefined();
  rename("Bedroom");
  await clock.advance(600_000);
  expect(advertiser.found()).toBeUndefined();
});

it("advertises again when the registration was lost, and logs a failure once", async () => {
  const { clock, advertiser, advertising, world, warnings } = setUp();
  world.isSilent = true;
  await expect(advertising.start()).rejects.toThrow("advertiser: Avahi does not answer");
  await clock.advance(600_000);
  expect(warnings).toEqual(["advertising failed"]);
  world.isSilent = false;
  await clock.advance(60_000);
  expect(advertiser.found()).toMatchObject({ name: "Manara on manara" });
  await advertising.close();
});

it("rejects when there is no advertiser, and does nothing else", async () => {
  const { clock, advertising, warnings } = setUp({ hasAdvertiser: false });
  await expect(advertising.start()).rejects.toThrow("advertiser: there is none");
  await clock.advance(600_000);
  expect(warnings).toEqual([]);
  await advertising.close();
});
