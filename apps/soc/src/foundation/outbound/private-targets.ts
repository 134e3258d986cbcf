import { BlockList, isIP } from "node:net";
import { invalidField } from "@kit/problem";

/** The hosts and networks that the operator allows notifications to reach although they are private. */
export interface PrivateTargets {
  isHost(name: string): boolean;
  isAddress(address: string): boolean;
}

const HOST = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Reads a list such as `10.20.0.0/16, fd12::/48, 192.0.2.7, mattermost.corp.example`. */
export function parsePrivateTargets(field: string, text: string): PrivateTargets {
  const hosts = new Set<string>();
  const networks = new BlockList();
  for (const entry of text.split(",").map((each) => each.trim().toLowerCase())) {
    if (entry === "") continue;
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address);
    if (family !== 0) addNetwork(field, networks, { address, family, prefix });
    else if (HOST.test(entry)) hosts.add(entry);
    else throw invalidField(field, `'${entry}' must be a host name, an address or a network such as 10.0.0.0/8`);
  }
  return {
    isHost: (name) => hosts.has(name.toLowerCase()),
    isAddress: (address) => isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"),
  };
}

function addNetwork(
  field: string,
  networks: BlockList,
  { address, family, prefix }: { address: string; family: number; prefix: string | undefined },
): void {
  const most = family === 6 ? 128 : 32;
  const length = prefix === undefined ? most : Number(prefix);
  if (!/^\d{1,3}$/.test(prefix ?? "0") || length > most) {
    throw invalidField(field, `'${address}/${prefix}' must have a prefix length from 0 to ${most}`);
  }
  networks.addSubnet(address, length, family === 6 ? "ipv6" : "ipv4");
}
