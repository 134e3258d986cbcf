import type { AdvertisedService, Advertiser } from "../system/advertiser.ts";

export interface SimulatedAdvertiser extends Advertiser {
  /** What other devices in the network would find. */
  found(): AdvertisedService | undefined;
}

export function createSimulatedAdvertiser(): SimulatedAdvertiser {
  let advertised: AdvertisedService | undefined;
  return {
    advertise: async (service) => {
      advertised = service;
    },
    close: async () => {
      advertised = undefined;
    },
    found: () => advertised,
  };
}
