import type { NetworkInterfaceInfo } from "node:os";

/** The address under which others in the network find this device; empty without a network. */
export function findOwnAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  const outward = Object.values(interfaces).flatMap((all) => all?.filter(({ internal }) => !internal) ?? []);
  const found = outward.find(({ family }) => family === "IPv4") ?? outward.find(({ scopeid }) => scopeid === 0);
  return found?.address ?? "";
}
