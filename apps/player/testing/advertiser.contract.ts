import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdvertisedService, Advertiser } from "../src/system/advertiser.ts";

export interface AdvertiserBench {
  advertiser: Advertiser;
  /** What other devices in the network find. */
  found: () => Promise<AdvertisedService | undefined>;
  remove: () => Promise<void>;
}

/** The contract of every advertiser. */
export function describeAdvertiser(name: string, create: () => Promise<AdvertiserBench>): void {
  describe(name, () => {
    let bench: AdvertiserBench;
    const kitchen = { name: "Kitchen مطبخ on manara", port: 8443, hasTls: true };

    beforeAll(async () => {
      bench = await create();
    }, 60_000);

    afterAll(() => bench.remove());

    it("advertises the last given service, and nothing after it is closed", async () => {
      const { advertiser, found } = bench;
      expect(await found()).toBeUndefined();
      await advertiser.advertise(kitchen);
      await advertiser.advertise(kitchen);
      expect(await found()).toEqual(kitchen);
      await advertiser.advertise({ ...kitchen, port: 80, hasTls: false });
      expect(await found()).toEqual({ ...kitchen, port: 80, hasTls: false });
      await advertiser.close();
      await advertiser.close();
      expect(await found()).toBeUndefined();
      await advertiser.advertise(kitchen);
      expect(await found()).toEqual(kitchen);
    });
  });
}
