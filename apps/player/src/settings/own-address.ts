import type { NetworkInterfaceInfo } from "node:os";

/** Networks inside this machine and tunnels: no phone reaches the device by them. */
const INSIDE = /^(docker|br-|veth|virbr|vnet|lxc|lxd|cni|flannel|podman|tun|tap|wg|tailscale|zt)/;

type Address = Pick<NetworkInterfaceInfo, "address" | "internal">;

/** The addresses of the interfaces by which a phone can reach the device. */
export function listOutwardAddresses<Each extends Address>(
  interfaces: Readonly<Record<string, readonly Each[] | undefined>>,
): Each[] {
  return Object.entries(interfaces)
    .filter(([name]) => !INSIDE.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(({ internal }) => !internal);
}

/** The address of this device in its network; empty without a network. */
export function findOwnAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string {
  const outward = listOutwardAddresses(interfaces);
  const found = outward.find(({ family }) => family === "IPv4") ?? outward.find(({ scopeid }) => scopeid === 0);
  return found?.address ?? "";
}
