import { boundsOf, parseNetwork } from "@kit/query/condition-address";
import type { Indicator } from "./indicator.ts";

// From the IANA registries of special-purpose addresses, which an attacker never owns.
const RANGES: Readonly<Record<string, readonly string[]>> = {
  "a private network": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"],
  "an address of the machine itself": ["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"],
  "a link-local address": ["169.254.0.0/16", "fe80::/10"],
  "a multicast or broadcast address": ["224.0.0.0/4", "240.0.0.0/4", "ff00::/8"],
  // RFC 5737, RFC 3849, RFC 9637, RFC 2544.
  "a network for documentation and tests": [
    "192.0.2.0/24",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "198.18.0.0/15",
    "2001:db8::/32",
    "3fff::/20",
  ],
  "a public resolver": [
    "1.1.1.1/32",
    "1.0.0.1/32",
    "8.8.8.8/32",
    "8.8.4.4/32",
    "9.9.9.9/32",
    "149.112.112.112/32",
    "208.67.222.222/32",
    "208.67.220.220/32",
    "2606:4700:4700::1111/128",
    "2606:4700:4700::1001/128",
    "2001:4860:4860::8888/128",
    "2001:4860:4860::8844/128",
    "2620:fe::fe/128",
  ],
};

// RFC 2606 and RFC 6761.
const RESERVED_DOMAINS = [
  "example",
  "test",
  "invalid",
  "localhost",
  "example.com",
  "example.net",
  "example.org",
  "local",
];
// These domains carry so much traffic that the whole domain proves nothing. A subdomain may.
const TOP_DOMAINS = new Set([
  "amazon.com",
  "amazonaws.com",
  "apple.com",
  "azure.com",
  "bing.com",
  "cloudflare.com",
  "cloudfront.net",
  "dropbox.com",
  "facebook.com",
  "github.com",
  "github.io",
  "githubusercontent.com",
  "gmail.com",
  "google.com",
  "googleapis.com",
  "gstatic.com",
  "instagram.com",
  "linkedin.com",
  "live.com",
  "microsoft.com",
  "microsoftonline.com",
  "mozilla.org",
  "office.com",
  "outlook.com",
  "sharepoint.com",
  "slack.com",
  "telegram.org",
  "twitter.com",
  "ubuntu.com",
  "whatsapp.com",
  "wikipedia.org",
  "windows.net",
  "windowsupdate.com",
  "x.com",
  "yahoo.com",
  "youtube.com",
  "zoom.us",
]);
// The hashes of an empty file.
const EMPTY_FILE = new Set([
  "d41d8cd98f00b204e9800998ecf8427e",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
]);

const WARNED = Object.entries(RANGES).flatMap(([what, networks]) =>
  networks.flatMap((network) => {
    const bounds = boundsOf(parseNetwork(network) ?? { address: "", prefixBits: 0 });
    return bounds ? [{ what, first: bounds[0], last: bounds[1] }] : [];
  }),
);

/** Returns why an indicator would cause false positives, as a noun phrase; undefined if there is no warning. */
export function findWarning({ type, value }: Indicator): string | undefined {
  switch (type) {
    case "ipv4":
      return rangeWarning(`${value}/32`);
    case "ipv6":
      return rangeWarning(`${value}/128`);
    case "cidr":
      return rangeWarning(value);
    case "domain":
      return domainWarning(value);
    case "url":
      return urlWarning(new URL(value));
    case "email":
      return reservedWarning(value.slice(value.lastIndexOf("@") + 1));
    case "md5":
    case "sha1":
    case "sha256":
      return EMPTY_FILE.has(value) ? "the hash of an empty file" : undefined;
    default:
      return type satisfies never;
  }
}

/** A network that contains a listed range is as harmful as one within it. */
function rangeWarning(cidr: string): string | undefined {
  const network = parseNetwork(cidr);
  const bounds = network && boundsOf(network);
  return bounds && WARNED.find(({ first, last }) => first <= bounds[1] && bounds[0] <= last)?.what;
}

function reservedWarning(domain: string): string | undefined {
  const isReserved = RESERVED_DOMAINS.some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`));
  return isReserved ? "a domain for documentation and tests" : undefined;
}

function domainWarning(domain: string): string | undefined {
  return TOP_DOMAINS.has(domain.replace(/^www\./, "")) ? "a domain in common use" : reservedWarning(domain);
}

/** A page of a well-known site may be malicious; the site itself is not. */
function urlWarning({ hostname, pathname, search }: URL): string | undefined {
  const address = hostname.replaceAll(/[[\]]/g, "");
  if (parseNetwork(`${address}/32`)) return rangeWarning(`${address}/${address.includes(":") ? 128 : 32}`);
  return pathname === "/" && search === "" ? domainWarning(hostname) : reservedWarning(hostname);
}
