import { type AttestationNeeds, createAttestation } from "../devices/attestation/attestation.feature.ts";
import { type CorrelationsNeeds, createCorrelations } from "../devices/correlations/correlations.feature.ts";
import { createDevices, type DevicesNeeds } from "../devices/registry/devices.feature.ts";
import { createRelay } from "../devices/relay/relay.feature.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

type Given = Omit<DevicesNeeds, keyof PlatformNeeds | keyof PlatformNeeds["files"]> &
  Omit<CorrelationsNeeds, "devices"> &
  Omit<AttestationNeeds, "broker">;

/** Creates the features of devices and connects them. */
export function createDeviceFeatures(needs: PlatformNeeds, given: Given) {
  const { base, files } = needs;
  const devices = createDevices(base, { ...needs, ...files, ...given });
  const attestation = createAttestation(base, { ...needs, ...given });
  const relay = createRelay(base, { ...needs, ...files, ...given, ...attestation });
  const correlations = createCorrelations(base, { ...given, ...devices });
  return { devices, others: [attestation, relay, correlations] as const };
}
