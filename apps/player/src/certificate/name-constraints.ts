import { BlockList, isIP, isIPv6 } from "node:net";

/** RFC 5280, section 4.2.1.10. */
export const NAME_CONSTRAINTS_OID = "2.5.29.30";

/** Private, link-local and loopback networks: RFC 1918, 3927, 1122, 4193, 4291. No address of the internet. */
const NETWORKS: readonly (readonly [address: string, prefix: number])[] = [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["127.0.0.0", 8],
  ["fc00::", 7],
  ["fe80::", 10],
  ["::1", 128],
];
/** With every name below them. No public name ends in one of these: RFC 6761, RFC 6762. */
const DOMAINS = ["localhost", "local"] as const;

const SEQUENCE = 0x30;
const PERMITTED_SUBTREES = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * A constraint on a name permits all names below it, too, so it must not be a domain of the internet: those have
 * neither digits nor hyphens, except for the encoded ones.
 */
function isConstrainableHostname(hostname: string): boolean {
  return /^[a-z\d-]{1,63}$/i.test(hostname) && /\d|-|^manara$/i.test(hostname) && !/^xn--/i.test(hostname);
}

/** The DER value of the extension: the only names for which a certificate of the authority is valid. */
export function buildNameConstraints(hostname: string): Buffer {
  const names = isConstrainableHostname(hostname) ? [...DOMAINS, hostname] : DOMAINS;
  const subtrees = [...names.map(encodeDnsName), ...NETWORKS.map(encodeNetwork)];
  return encode(
    SEQUENCE,
    encode(PERMITTED_SUBTREES, Buffer.concat(subtrees.map((subtree) => encode(SEQUENCE, subtree)))),
  );
}

/** Whether an authority with this certificate (DER) may sign the name; always false for one without constraints. */
export function isPermittedName(name: string, authority: Buffer): boolean {
  if (isIP(name)) return isPermittedAddress(name);
  if (DOMAINS.some((domain) => name === domain || name.endsWith(`.${domain}`))) return true;
  return isConstrainableHostname(name) && authority.includes(encode(SEQUENCE, encodeDnsName(name)));
}

/** Whether the certificate (DER) has the constraints, for any host name. */
export function hasNameConstraints(authority: Buffer): boolean {
  return NETWORKS.every((network) => authority.includes(encode(SEQUENCE, encodeNetwork(network))));
}

function isPermittedAddress(address: string): boolean {
  const networks = new BlockList();
  for (const [base, prefix] of NETWORKS) networks.addSubnet(base, prefix, isIPv6(base) ? "ipv6" : "ipv4");
  return networks.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

function encodeDnsName(name: string): Buffer {
  return encode(DNS_NAME, Buffer.from(name.toLowerCase(), "latin1"));
}

function encodeNetwork([address, prefix]: readonly [string, number]): Buffer {
  return encode(IP_ADDRESS, Buffer.concat([toBytes(address), toMask(address, prefix)]));
}

function toMask(address: string, prefix: number): Buffer {
  const bytes = Buffer.alloc(isIPv6(address) ? 16 : 4);
  for (let bit = 0; bit < prefix; bit += 1) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bytes;
}

/** The table above has one "::" at the end, or at the beginning. */
function toBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  const bytes = Buffer.alloc(16);
  const [head = "", tail = ""] = address.split("::");
  if (head) bytes.writeUInt16BE(Number.parseInt(head, 16), 0);
  if (tail) bytes.writeUInt16BE(Number.parseInt(tail, 16), 14);
  return bytes;
}

/** X.690, section 8.1.3: lengths to 127 take one byte, and longer ones say how many bytes follow. */
function encode(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
