import type { NetworkInterfaceInfo } from "node:os";

/** The address of this device in its network; empty without a network. */
export function findOwnAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  const outward = Object.values(interfaces).flatMap((all) => all?.filter(({ internal }) => !internal) ?? []);
  const found = outward.find(({ family }) => family === "IPv4") ?? outward.find(({ scopeid }) => scopeid === 0);
  return found?.address ?? "";
}
