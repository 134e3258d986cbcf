import type { NetworkInterfaceInfo } from "node:os";

/** Where the device is reached: by its name, and by the addresses that its network gave it. */
export function listDeviceNames(
  hostname: string,
  interfaces: Readonly<Record<string, readonly Pick<NetworkInterfaceInfo, "address" | "internal">[] | undefined>>,
): string[] {
  const addresses = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    // No browser opens a link-local address: it would need the name of the interface, too.
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
    .map(({ address }) => address);
  // A machine may have any name; a certificate takes only those that DNS could know.
  const names = /^[\w.-]+$/.test(hostname) ? [hostname, `${hostname}.local`] : [];
  return [...new Set(["localhost", "127.0.0.1", "::1", ...names, ...addresses])];
}
