import { expect, it } from "vitest";
import { devicesWorld, raceForCodes } from "../../../testing/harness/devices-world.ts";

it("issues one certificate in each of 100 races of 50 requests", async () => {
  const world = await devicesWorld();
  const counts = await raceForCodes(world, 100);
  expect(counts).toEqual(Array.from({ length: 100 }, () => 1));
  expect(await world.platform.db.selectFrom("device_certificates").selectAll().execute()).toHaveLength(100);
  await world.close();
}, 600_000);
