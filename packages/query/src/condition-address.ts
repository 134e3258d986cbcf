const IPV4_PART = /^(?:0|[1-9]\d{0,2})$/;
const IPV6_PART = /^[0-9a-f]{1,4}$/i;
/** Some programs read 010 as eight, and the log store is inconsistent: a text with a leading zero is not an address. */
export const LEADING_ZERO = "(^|[.:])0[0-9]+[.]|[.]0[0-9]+$";
const MAPPED_IPV4 = 0xffffn << 32n;

/** An address as a 128-bit number; an IPv4 address is mapped to ::ffff:0:0/96, as in the log store. */
export function parseAddress(text: string): bigint | undefined {
  if (!text.includes(":")) {
    const value = parseIpv4(text);
    return value === undefined ? undefined : MAPPED_IPV4 | value;
  }
  return text.length > 45 ? undefined : parseIpv6(text);
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!IPV4_PART.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = "", tail] = halves;
  const before = parseIpv6Groups(head, tail === undefined);
  const after = tail === undefined ? [] : parseIpv6Groups(tail, true);
  if (!(before && after)) return undefined;
  const missing = 8 - before.length - after.length;
  // The log store accepts a :: that replaces no group.
  if (tail === undefined ? missing !== 0 : missing < 0) return undefined;
  const groups = [...before, ...new Array<bigint>(missing).fill(0n), ...after];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function parseIpv6Groups(text: string, isLast: boolean): bigint[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: bigint[] = [];
  for (const [at, part] of parts.entries()) {
    if (isLast && at === parts.length - 1 && part.includes(".")) {
      const value = parseIpv4(part);
      if (value === undefined) return undefined;
      groups.push(value >> 16n, value & 0xffffn);
    } else {
      if (!IPV6_PART.test(part)) return undefined;
      groups.push(BigInt(`0x${part}`));
    }
  }
  return groups;
}

export interface Network {
  address: string;
  prefixBits: number;
}

/** Parses a network such as `10.0.0.0/8` or `fe80::/10`; address bits beyond the prefix are ignored. */
export function parseNetwork(text: string): Network | undefined {
  const [address = "", bits = "", ...rest] = text.split("/");
  if (rest.length > 0 || parseAddress(address) === undefined || !/^\d{1,3}$/.test(bits)) return undefined;
  const prefixBits = Number(bits);
  return prefixBits <= widthOf(address) ? { address, prefixBits } : undefined;
}

/** The first and the last address of a network. */
export function boundsOf({ address, prefixBits }: Network): readonly [bigint, bigint] | undefined {
  const value = parseAddress(address);
  const hostBits = widthOf(address) - prefixBits;
  if (value === undefined || !Number.isInteger(hostBits) || hostBits < 0 || prefixBits < 0) return undefined;
  const hosts = (1n << BigInt(hostBits)) - 1n;
  return [value & ~hosts, value | hosts];
}

function widthOf(address: string): number {
  return address.includes(":") ? 128 : 32;
}

export function spellAddress(value: bigint): string {
  const digits = value.toString(16).padStart(32, "0");
  return digits.replaceAll(/.{4}(?!$)/g, "$&:");
}

/** The canonical spelling of an address (RFC 5952); one that is mapped from IPv4 in the spelling of IPv4. */
export function spellCanonical(value: bigint): string {
  if (value >> 32n !== 0xffffn) return new URL(`http://[${spellAddress(value)}]`).hostname.slice(1, -1);
  return [24n, 16n, 8n, 0n].map((bits) => String((value >> bits) & 0xffn)).join(".");
}
