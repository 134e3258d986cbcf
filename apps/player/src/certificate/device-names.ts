import { isIPv4 } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";
import { listOutwardAddresses } from "../settings/own-address.ts";
import { ACCESS_POINT_ADDRESS } from "../settings/setup-network.ts";

/**
 * The stable names and addresses of the device. IPv6 addresses are omitted: most of them are temporary, and people
 * reach the device by its name or its IPv4 address.
 */
export function listDeviceNames(
  hostname: string,
  interfaces: Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, "address" | "internal">[] | undefined>>,
): string[] {
  const addresses = listOutwardAddresses(interfaces)
    .map(({ address }) => address)
    .filter((address) => isIPv4(address));
  // A machine may have any host name; a certificate accepts only valid DNS names.
  const names = /^[\w.-]+$/.test(hostname) ? [hostname, `${hostname}.local`] : [];
  return [...new Set(["localhost", "127.0.0.1", "::1", ACCESS_POINT_ADDRESS, ...names, ...addresses])];
}
