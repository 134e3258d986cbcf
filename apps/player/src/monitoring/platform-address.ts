import { invalidField } from "@kit/problem";

export interface PlatformAddress {
  /** Without the brackets of an IPv6 address. */
  host: string;
  port: number;
  /** host:port, as it is shown and kept. */
  text: string;
}

const SHAPE = /^(?:https:\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})\/?$/i;
const MAX_PORT = 65_535;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const OWN_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);
const DEFAULT_BROKER_PORT = 8883;

/** Reads `host:port`, with or without https:// before it. */
export function parseAddress(given: string): PlatformAddress {
  const [, host, portText] = SHAPE.exec(given.trim()) ?? [];
  const port = Number(portText);
  if (host === undefined || port < 1 || port > MAX_PORT || !URL.canParse(`https://${host}:${port}`)) {
    throw invalidField("address", "must be host:port of the platform's device server", {
      code: "address_malformed",
    });
  }
  const name = host.toLowerCase();
  return { host: withoutBrackets(name), port, text: `${name}:${port}` };
}

/** The 64 hex digits of a SHA-256 digest; colons, spaces and capitals are accepted. */
export function parseFingerprint(given: string): string {
  const digits = given.replaceAll(/[\s:]/g, "").toLowerCase();
  if (!FINGERPRINT.test(digits))
    throw invalidField("authority_fingerprint", "must be 64 hex digits (SHA-256)", { code: "fingerprint_malformed" });
  return digits;
}

/**
 * The broker as this device reaches it. A platform that shares its machine with the broker may call it localhost: seen
 * from here that is the host of the platform.
 */
export function parseBroker(url: string, platform: PlatformAddress): PlatformAddress {
  const { hostname, port: portText } = new URL(url);
  const port = Number(portText || DEFAULT_BROKER_PORT);
  const host = withoutBrackets(hostname);
  const seen = OWN_HOSTS.has(host) ? platform.host : host;
  return { host: seen, port, text: `${seen.includes(":") ? `[${seen}]` : seen}:${port}` };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
