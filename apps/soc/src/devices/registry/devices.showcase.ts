import { hasValues, pageInMemory } from "../../foundation/lists/order.ts";
import { NEWEST_ATTESTATION_FIRST } from "./attestations.store.ts";
import { isListed, NEWEST_DEVICE_FIRST, type ShowcaseCps } from "./device.ts";
import type { DeviceSource } from "./devices.service.ts";
import type { DeviceCounts } from "./devices.store.ts";
import { NEWEST_FIRMWARE_FIRST } from "./firmware.store.ts";

export function countShown({ devices }: ShowcaseCps): DeviceCounts {
  const counted = devices.filter(({ status }) => status !== "revoked");
  const by_verdict: DeviceCounts["by_verdict"] = {};
  for (const { verdict } of counted) if (verdict) by_verdict[verdict] = (by_verdict[verdict] ?? 0) + 1;
  return { total: counted.length, by_verdict };
}

export function createShowcaseDevices({ devices, attestations, firmware }: ShowcaseCps): DeviceSource {
  const listed = firmware.map(({ approval_id: _, ...row }) => ({
    ...row,
    devices: devices.filter(({ firmware_hash, status }) => firmware_hash === row.hash && status !== "revoked").length,
  }));
  return {
    devices: {
      list: async (_scope, query, now) =>
        pageInMemory(devices, NEWEST_DEVICE_FIRST, query, (device) => isListed(device, query, now)),
      find: async (_scope, id) => devices.find((device) => device.id === id),
      findVisible: async (_scope, ids) => new Set(devices.flatMap(({ id }) => (ids.includes(id) ? id : []))),
      findNamed: async (_scope, name) =>
        devices.find((device) => device.id === name || device.name.toLowerCase() === name.toLowerCase()),
      counts: async () => countShown({ devices, attestations, firmware }),
    },
    attestations: {
      list: async (_scope, query) =>
        pageInMemory(attestations, NEWEST_ATTESTATION_FIRST, query, (each) =>
          hasValues(each, query, ["device_id", "verdict", "kind"]),
        ),
    },
    firmware: {
      list: async (query) =>
        pageInMemory(listed, NEWEST_FIRMWARE_FIRST, query, (each) =>
          hasValues(each, query, ["vendor", "product", "hash", "known_good"]),
        ),
    },
  };
}
