import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { invalidField } from "@kit/problem";
import { boundsOf, parseNetwork } from "@kit/query/condition-address";
import { spellIpv6, unifyAddress } from "../../foundation/records/entity-name.ts";
import { IOC_TYPES } from "./iocs.schema.ts";

export type IocType = (typeof IOC_TYPES)[number];

/** An indicator in its canonical spelling. */
export interface Indicator {
  type: IocType;
  value: string;
}

const MAX_DOMAIN_LENGTH = 253;
const MAX_URL_LENGTH = 2048;
const MAX_LOCAL_PART_LENGTH = 64;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LOCAL_PART = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const HEX = /^[0-9a-f]+$/;
const HASH_LENGTHS = { md5: 32, sha1: 40, sha256: 64 } as const;
const URL_SCHEMES = new Set(["http:", "https:", "ftp:"]);

const EXPECTED: Readonly<Record<IocType, string>> = {
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  cidr: "a network such as 192.0.2.0/24",
  domain: "a domain of at least two labels",
  url: `an http, https or ftp URL of at most ${MAX_URL_LENGTH} characters`,
  email: "an e-mail address",
  md5: "an MD5 hash, 32 hexadecimal digits",
  sha1: "a SHA-1 hash, 40 hexadecimal digits",
  sha256: "a SHA-256 hash, 64 hexadecimal digits",
};

/** Undoes defanging: `hxxp://evil[.]example` becomes `http://evil.example`. */
function refang(text: string): string {
  return text
    .trim()
    .replace(/^(h)(?:xx|\*\*|tt)(ps?)(?=\[?:)/i, "$1tt$2")
    .replace(/^fxp(?=\[?:)/i, "ftp")
    .replaceAll(/\[:(\/\/)?\]/g, ":$1")
    .replaceAll(/\s*[[({](?:\.|dot)[\])}]\s*/gi, ".")
    .replaceAll(/\s*[[({](?:@|at)[\])}]\s*/gi, "@");
}

/** Parses an indicator. Without a type, the type is detected from the text. */
export function parseIndicator(text: string, type?: IocType): Indicator {
  const plain = refang(text);
  if (type !== undefined) {
    const value = READERS[type](plain);
    if (value === undefined) throw invalidField("value", `'${text}' is not ${EXPECTED[type]}`);
    return value;
  }
  // The order matters only for speed: no text is valid for two types.
  for (const each of IOC_TYPES) {
    const value = READERS[each](plain);
    if (value) return value;
  }
  throw invalidField("value", `'${text}' is not an indicator of a known type (${IOC_TYPES.join(", ")})`);
}

const READERS: Readonly<Record<IocType, (text: string) => Indicator | undefined>> = {
  ipv4: (text) => parseAddressIndicator(text, "ipv4"),
  ipv6: (text) => parseAddressIndicator(text, "ipv6"),
  cidr: parseCidr,
  domain: (text) => made("domain", parseDomain(text.replace(/^\*\./, ""))),
  url: (text) => made("url", parseUrl(text)),
  email: (text) => made("email", parseEmail(text)),
  md5: (text) => made("md5", parseHash(text, "md5")),
  sha1: (text) => made("sha1", parseHash(text, "sha1")),
  sha256: (text) => made("sha256", parseHash(text, "sha256")),
};

function made(type: IocType, value: string | undefined): Indicator | undefined {
  return value === undefined ? undefined : { type, value };
}

/** An address in its canonical spelling. It has no zone, because an indicator is not specific to one machine. */
export function normaliseAddress(address: string): Indicator | undefined {
  if (isIP(address) === 0 || address.includes("%")) return undefined;
  const value = unifyAddress(address);
  return { type: value.includes(":") ? "ipv6" : "ipv4", value };
}

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".");
}

function parseAddressIndicator(text: string, type: "ipv4" | "ipv6"): Indicator | undefined {
  const found = normaliseAddress(text);
  // ::ffff:192.0.2.1 is accepted as either type and becomes an IPv4 address.
  return found?.type === type || text.includes(":") ? found : undefined;
}

function parseCidr(text: string): Indicator | undefined {
  const network = parseNetwork(text);
  const [first] = (network && boundsOf(network)) ?? [];
  if (!network || first === undefined) return undefined;
  const isSix = network.address.includes(":");
  const base = isSix ? spellGroups(first) : dotted(first & 0xffff_ffffn);
  // A network of one address is that address.
  if (network.prefixBits === (isSix ? 128 : 32)) return normaliseAddress(base);
  return { type: "cidr", value: `${base}/${network.prefixBits}` };
}

function spellGroups(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - at * 16)) & 0xffffn).toString(16));
  return spellIpv6(groups.join(":"));
}

export function parseDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.replace(/\.$/, "")).toLowerCase();
  const labels = ascii.split(".");
  const isDomain =
    ascii.length <= MAX_DOMAIN_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "");
  return isDomain ? ascii : undefined;
}

/** Drops the fragment, which is never sent, and credentials. */
export function parseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isKnown = URL_SCHEMES.has(url.protocol) && /^[a-z]+:\/\//i.test(text);
  url.hash = "";
  url.username = "";
  url.password = "";
  return isKnown && url.hostname !== "" && url.href.length <= MAX_URL_LENGTH ? url.href : undefined;
}

function parseEmail(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0)).toLowerCase();
  const domain = parseDomain(text.slice(at + 1));
  const isEmail = local.length <= MAX_LOCAL_PART_LENGTH && LOCAL_PART.test(local) && domain !== undefined;
  return isEmail ? `${local}@${domain}` : undefined;
}

function parseHash(text: string, type: keyof typeof HASH_LENGTHS): string | undefined {
  const digits = text.toLowerCase();
  return digits.length === HASH_LENGTHS[type] && HEX.test(digits) ? digits : undefined;
}
