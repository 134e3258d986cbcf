import { isIP } from "node:net";

const MAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
// An ARN may end in an e-mail address, which names a session and not the whole principal.
const MAIL_SHAPED = /^([^\s@:]+)@[^\s@:]+$/;

/** Normalises the names of one host: lower case, without the domain. An address remains an address. */
export function unifyHost(name: string): string {
  const host = name.trim().replace(/^\\+/, "");
  if (isIP(host) !== 0) return unifyAddress(host);
  const lower = host.toLowerCase();
  return lower.split(".", 1)[0] || lower;
}

/** Normalises the names of one user: `DOMAIN\user` and `user@domain` become `user`, in lower case. */
export function unifyUser(name: string): string {
  const user = name.trim().toLowerCase();
  const account = user.slice(user.lastIndexOf("\\") + 1) || user;
  return MAIL_SHAPED.exec(account)?.[1] ?? account;
}

/**
 * Returns the canonical spelling of an address (RFC 5952). An IPv4-mapped address becomes an IPv4 address. The zone is
 * dropped, because it has a meaning only on the machine that wrote it. Any other text is returned unchanged.
 */
export function unifyAddress(text: string): string {
  if (!text.includes(":") || isIP(text) !== 6) return text;
  const [address = text] = text.split("%", 1);
  const spelled = spellIpv6(address);
  const [, high, low] = MAPPED_IPV4.exec(spelled) ?? [];
  return high === undefined || low === undefined ? spelled : [high, low].flatMap(toDecimalBytes).join(".");
}

/** Returns the canonical spelling of an IPv6 address without a zone (RFC 5952). */
export function spellIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function toDecimalBytes(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
