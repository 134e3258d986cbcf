import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * How far an address reaches. "private" is a local network, which a policy may allow;
 * "forbidden" is everything that no policy allows: this machine, this link, this cloud, and all that is no host.
 */
export type Reach = "public" | "private" | "forbidden";

// Everything outside 2000::/3 is unassigned or special (RFC 4291, section 2.4), also ::/96, which ipaddr.js calls unicast.
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

// Machine credentials are served at these, and no range above covers them: Azure, AWS, Google, Oracle.
const CLOUD_METADATA = ["168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::254/128", "fd00:c1::a9fe:a9fe/128"].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);

/** Ranges of IPv6 that are in use inside one home or office only. */
const LOCAL_RANGES: ReadonlySet<string> = new Set(["linkLocal", "uniqueLocal"]);

/** Carrier-grade NAT (100.64.0.0/10) is forbidden, not private: it is the carrier's network, and one cloud's metadata. */
export function reachOf(address: string): Reach {
  const parsed = parse(address);
  if (!parsed || isCloudMetadata(parsed)) return "forbidden";
  return parsed instanceof ipaddr.IPv4 ? reachOfIpv4(parsed) : reachOfIpv6(parsed);
}

/** True for ordinary global unicast only, in its own notation: no mapped, translated or tunnelled form of it. */
export function isPublic(address: string): boolean {
  return reachOf(address) === "public";
}

/** True when the host of a listener or a server is this machine alone: 127.0.0.0/8, ::1 and the name localhost. */
export function isLoopback(hostOrAddress: string): boolean {
  if (hostOrAddress.toLowerCase() === "localhost") return true;
  const parsed = parse(withoutBrackets(hostOrAddress));
  return parsed !== undefined && unmapped(parsed).range() === "loopback";
}

/** The key under which a client is counted: its IPv4 address, or the /48 that an IPv6 site can roam in at will. */
export function clientNetworkOf(address: string): string {
  const parsed = parse(address);
  if (!parsed) return "unknown";
  const client = unmapped(parsed);
  if (client instanceof ipaddr.IPv4) return client.toString();
  return `${new ipaddr.IPv6([...client.parts.slice(0, 3), 0, 0, 0, 0, 0]).toRFC5952String()}/48`;
}

/**
 * The key under which a client of a device at home is counted. In the device's own link every host has its address of a
 * network that all of them share, so the whole address counts: else one host would use up the budget of all.
 * `ownAddresses` are those of the device.
 */
export function findLocalClient(address: string, ownAddresses: readonly string[]): string {
  const parsed = parse(address);
  if (!parsed || unmapped(parsed) instanceof ipaddr.IPv4 || !(parsed instanceof ipaddr.IPv6)) {
    return clientNetworkOf(address);
  }
  const isOnLink =
    LOCAL_RANGES.has(parsed.range()) || ownAddresses.some((own) => linkOf(parse(own)) === linkOf(parsed));
  return isOnLink ? parsed.toRFC5952String() : clientNetworkOf(address);
}

/** One spelling per address, so that two of them can be compared. */
export function normalizeAddress(address: string): string {
  return parse(address)?.toNormalizedString() ?? address;
}

/** A URL writes an IPv6 address in brackets, everything else does not. */
export function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** The first half of an IPv6 address: the network of its link (RFC 4291, section 2.5.1). */
function linkOf(address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): string | undefined {
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(":") : undefined;
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // ipaddr.js alone also reads 127.1, 0x7f000001 and 0177.0.0.1, which only a URL may be asked to read.
  return isIP(address) !== 0 && ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;
}

function unmapped(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isCloudMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return CLOUD_METADATA.some((range) => range[0].kind() === address.kind() && address.match(range));
}

function reachOfIpv4(address: ipaddr.IPv4): Reach {
  const range = address.range();
  if (range === "unicast") return "public";
  return range === "private" ? "private" : "forbidden";
}

function reachOfIpv6(address: ipaddr.IPv6): Reach {
  if (address.zoneId !== undefined) return "forbidden";
  const range = address.range();
  if (range === "unicast" && address.match(IPV6_GLOBAL_UNICAST)) return "public";
  return range === "uniqueLocal" ? "private" : "forbidden";
}
