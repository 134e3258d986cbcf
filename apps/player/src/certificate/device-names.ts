import type { NetworkInterfaceInfo } from "node:os";

/** The names and addresses under which the device is reachable. */
export function listDeviceNames(
  hostname: string,
  interfaces: Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, "address" | "internal">[] | undefined>>,
): string[] {
  const addresses = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    // Browsers cannot open link-local addresses: they would also need the name of the interface.
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
    .map(({ address }) => address);
  // A machine may have any host name; a certificate accepts only valid DNS names.
  const names = /^[\w.-]+$/.test(hostname) ? [hostname, `${hostname}.local`] : [];
  return [...new Set(["localhost", "127.0.0.1", "::1", ...names, ...addresses])];
}
