import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutboundGuard } from "./fetch.ts";
import { type OutboundPolicy, parseTarget } from "./target.ts";

const ANY: OutboundPolicy = { schemes: ["http:", "https:"], allowPrivate: false };
const ANY_OR_PRIVATE: OutboundPolicy = { ...ANY, allowPrivate: true };
const HTTPS: OutboundPolicy = { schemes: ["https:"], allowPrivate: false };

const ADDRESS = /^url: must lead to a public address$/;
const NAME = /^url: must have a valid host name/;
const START = /^url: must start with http:\/\/ or https:\/\/ and a host$/;
const CREDENTIALS = /^url: must not contain credentials$/;
const TRICK = /^url: must not contain spaces, control characters or backslashes$/;
const SYNTAX = /^url: must be a valid URL$/;

const HOSTILE: readonly (readonly [what: string, url: string, why: RegExp])[] = [
  ["loopback", "http://127.0.0.1/", ADDRESS],
  ["loopback with a port", "http://127.0.0.1:8080/admin", ADDRESS],
  ["loopback in decimal", "http://2130706433/", ADDRESS],
  ["loopback in octal", "http://0177.0.0.1/", ADDRESS],
  ["loopback in octal with zeros", "http://00000177.0.0.1/", ADDRESS],
  ["loopback in hex", "http://0x7f000001/", ADDRESS],
  ["loopback in hex parts", "http://0x7F.0x0.0x0.0x1/", ADDRESS],
  ["loopback in mixed parts", "http://0x7f.0.01/", ADDRESS],
  ["loopback in two parts", "http://127.1/", ADDRESS],
  ["loopback in three parts", "http://127.0.1/", ADDRESS],
  ["loopback with a dot at the end", "http://127.0.0.1./", ADDRESS],
  ["loopback in percent signs", "http://%31%32%37%2e0.0.1/", ADDRESS],
  ["loopback in full-width digits", "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11/", ADDRESS],
  ["loopback in circled digits", "http://\u2460\u2461\u2466.0.0.\u2460/", ADDRESS],
  ["loopback with ideographic stops", "http://127\u30020\u30020\u30021/", ADDRESS],
  ["all interfaces", "http://0.0.0.0/", ADDRESS],
  ["all interfaces, short", "http://0/", ADDRESS],
  ["private", "http://10.0.0.1/", ADDRESS],
  ["private", "http://172.16.0.1/", ADDRESS],
  ["private in decimal", "http://3232235777/", ADDRESS],
  ["carrier-grade NAT", "http://100.64.0.1/", ADDRESS],
  ["metadata", "http://169.254.169.254/latest/meta-data/", ADDRESS],
  ["metadata in decimal", "http://2852039166/", ADDRESS],
  ["metadata in hex", "http://0xA9FEA9FE/", ADDRESS],
  ["metadata in octal", "http://0251.0376.0251.0376/", ADDRESS],
  ["metadata at a public address", "http://168.63.129.16/", ADDRESS],
  ["multicast", "http://239.255.255.250:1900/", ADDRESS],
  ["broadcast", "http://255.255.255.255/", ADDRESS],
  ["IPv6 loopback", "http://[::1]/", ADDRESS],
  ["IPv6 loopback, long", "http://[0000:0:0:0:0:0:0:0001]:80/", ADDRESS],
  ["IPv6 unspecified", "http://[::]/", ADDRESS],
  ["IPv4-mapped", "http://[::ffff:127.0.0.1]/", ADDRESS],
  ["IPv4-mapped in hex", "http://[::ffff:7f00:1]/", ADDRESS],
  ["IPv4-mapped metadata", "http://[::ffff:a9fe:a9fe]/", ADDRESS],
  ["IPv4-compatible", "http://[::127.0.0.1]/", ADDRESS],
  ["NAT64", "http://[64:ff9b::127.0.0.1]/", ADDRESS],
  ["local NAT64", "http://[64:ff9b:1::a00:1]/", ADDRESS],
  ["6to4", "http://[2002:7f00:1::]/", ADDRESS],
  ["Teredo", "http://[2001:0:7f00:1::]/", ADDRESS],
  ["IPv6 link-local", "http://[fe80::1]/", ADDRESS],
  ["IPv6 unique local", "http://[fd00::1]/", ADDRESS],
  ["IPv6 metadata", "http://[fd00:ec2::254]/latest/", ADDRESS],
  ["IPv6 multicast", "http://[ff02::1]/", ADDRESS],
  ["a zone", "http://[fe80::1%eth0]/", SYNTAX],
  ["an escaped zone", "http://[fe80::1%25eth0]/", SYNTAX],
  ["a fifth part", "http://127.0.0.1.1/", SYNTAX],
  ["an IPv6 address without brackets", "http://::1/", SYNTAX],
  ["a part out of range", "http://127.0.0.256/", SYNTAX],
  ["localhost", "http://localhost/", ADDRESS],
  ["localhost in capitals", "http://LOCALHOST:3000/", ADDRESS],
  ["localhost with a dot", "http://localhost./", NAME],
  ["localhost below another name", "http://evil.localhost/", ADDRESS],
  ["localhost in circled letters", "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/", ADDRESS],
  ["localhost with a soft hyphen", "http://local\u00adhost/", ADDRESS],
  ["localhost in percent signs", "http://%6c%6f%63alhost/", ADDRESS],
  ["a name of the local link", "http://printer.local/", ADDRESS],
  ["a metadata name", "http://metadata.google.internal/computeMetadata/v1/", ADDRESS],
  ["a dot at the end", "http://example.com./", NAME],
  ["an empty label", "http://example..com/", NAME],
  ["a long label", `http://${"a".repeat(64)}.example/`, NAME],
  ["a user", "http://user@example.com/", CREDENTIALS],
  ["a user and a password", "http://user:hunter2@example.com/", CREDENTIALS],
  ["a host as a user", "http://example.com@127.0.0.1/", CREDENTIALS],
  ["an empty user", "http://@example.com/", CREDENTIALS],
  ["an escaped at sign in the user", "http://example.com%40x@127.0.0.1/", CREDENTIALS],
  ["a line break", "http://example.com/\r\nHost: 127.0.0.1", TRICK],
  ["a line break in the host", "http://exam\nple.com/", TRICK],
  ["a tab", "http://127.0.\t0.1/", TRICK],
  ["a null", "http://example.com\u0000.evil/", TRICK],
  ["a space before", " http://example.com/", TRICK],
  ["a space after", "http://example.com/ ", TRICK],
  ["an ideographic space", "http://example.com/\u3000", TRICK],
  ["a line separator", "http://example.com/\u2028", TRICK],
  ["a control character of the second set", "http://example.com/\u0085", TRICK],
  ["a backslash", "http:\\\\127.0.0.1\\", TRICK],
  ["a backslash behind the host", "http://example.com\\@127.0.0.1/", TRICK],
  ["a file", "file:///etc/passwd", START],
  ["a file on a host", "file://example.com/share", START],
  ["gopher", "gopher://example.com:70/_x", START],
  ["ftp", "ftp://example.com/", START],
  ["ws", "ws://example.com/", START],
  ["data", "data:text/plain,hello", START],
  ["javascript", "javascript:alert(1)", START],
  ["no scheme", "example.com/live", START],
  ["no scheme but slashes", "//example.com/live", START],
  ["nothing", "", START],
  ["no host", "http://", START],
  ["no host but a path", "http:///127.0.0.1/", START],
  ["no host but a port", "http://:80/", SYNTAX],
  ["no host but a question", "http://?x", START],
  ["one slash", "http:/127.0.0.1/", START],
  ["no slash", "http:127.0.0.1", START],
  ["a port out of range", "http://example.com:65536/", SYNTAX],
  ["a host with forbidden characters", "http://exa<mple.com/", SYNTAX],
  ["a host with characters of no name", "http://exa!mple.com/", NAME],
  ["too many characters", `http://example.com/${"a".repeat(1024)}`, /^url: must be at most 1024 characters$/],
];

describe("hostile URLs", () => {
  it("tests at least forty distinct hostile URLs", () => {
    expect(new Set(HOSTILE.map(([, url]) => url)).size).toBeGreaterThanOrEqual(40);
    expect(new Set(HOSTILE.map(([, url]) => url)).size).toBe(HOSTILE.length);
  });

  it.each(HOSTILE)("refuses %s: %j", (_what, url, why) => {
    expect(() => parseTarget("url", url, ANY)).toThrow(
      expect.objectContaining({ kind: "invalid", field: "url", message: expect.stringMatching(why) }),
    );
  });

  it.each(HOSTILE)("opens no connection and resolves no name for %s: %j", async (_what, url, why) => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ["8.8.8.8"];
    };
    const guard = createOutboundGuard({ resolve, ownAddresses: () => [] });
    const opening = guard.open(url, { field: "url", policy: ANY, connectTimeoutMs: 1, idleTimeoutMs: 1 });
    await expect(opening).rejects.toMatchObject({ kind: "invalid", field: "url", message: expect.stringMatching(why) });
    expect(asked).toEqual([]);
  });

  it("reveals no credentials in a refusal", () => {
    expect(() => parseTarget("url", "http://user:hunter2@127.0.0.1/", ANY)).toThrow(/^(?!.*(user|hunter2))/);
  });
});

describe("parseTarget", () => {
  it.each([
    ["http://example.com/live.mp3?x=1#y", "http://example.com/live.mp3?x=1#y"],
    ["HTTPS://Example.COM:443/", "https://example.com/"],
    ["http://8.8.8.8:8000/;stream", "http://8.8.8.8:8000/;stream"],
    ["http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]/"],
    ["http://b\u00fccher.example/", "http://xn--bcher-kva.example/"],
    ["http://radio_1.example/@user", "http://radio_1.example/@user"],
    ["http://notlocalhost/", "http://notlocalhost/"],
    ["http://localhost.example/", "http://localhost.example/"],
  ])("parses %s", (url, href) => expect(parseTarget("url", url, ANY).href).toBe(href));

  it.each([
    "http://10.0.0.5/",
    "http://192.168.1.20:8000/",
    "http://[fd12:3456:789a::5]/",
    "http://nas.local/",
    "http://nas.internal/",
  ])("accepts %s only when the policy allows private addresses", (url) => {
    expect(parseTarget("url", url, ANY_OR_PRIVATE).href).toBe(url);
    expect(() => parseTarget("url", url, ANY)).toThrow(ADDRESS);
  });

  it.each([
    "http://127.0.0.1/",
    "http://169.254.169.254/",
    "http://100.100.100.200/",
    "http://224.0.0.1/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[fe80::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[fd00:ec2::254]/",
    "http://localhost/",
    "http://x.localhost/",
  ])("refuses %s even when the policy allows private addresses", (url) => {
    expect(() => parseTarget("url", url, ANY_OR_PRIVATE)).toThrow(/^url: must lead to a public or private address/);
  });

  it("accepts only the schemes of the policy and names the field and the scheme", () => {
    expect(parseTarget("firmware_url", "https://example.com/", HTTPS).protocol).toBe("https:");
    expect(() => parseTarget("firmware_url", "http://example.com/", HTTPS)).toThrow(
      "firmware_url: must start with https:// and a host",
    );
  });
});

// First address and prefix length of each range that no public policy may reach.
const FORBIDDEN_RANGES: readonly (readonly [first: number, prefix: number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
];

const forbiddenIpv4 = fc
  .tuple(fc.constantFrom(...FORBIDDEN_RANGES), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map(([[first, prefix], chance]) => first + Math.floor(chance * 2 ** (32 - prefix)));

/** A number as the URL standard reads it: decimal, octal or hexadecimal, with zeros before it. */
const spelling = fc.record({ radix: fc.constantFrom(8, 10, 16), zeros: fc.nat(3), capital: fc.boolean() });

function spell(value: number, { radix, zeros, capital }: { radix: number; zeros: number; capital: boolean }): string {
  if (radix === 10) return String(value);
  const digits = "0".repeat(zeros) + value.toString(radix);
  const text = radix === 8 ? `0${digits}` : `0x${digits}`;
  return capital ? text.toUpperCase() : text;
}

/** One to four parts; the last one holds all the bytes that are left. */
function toParts(address: number, count: number): number[] {
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
  return [...bytes.slice(0, count - 1), address % 2 ** (8 * (5 - count))];
}

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));
const percent = (text: string) => text.replace(/[0-9a-z]/gi, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16)}`);

const forbiddenHost = fc
  .record({
    address: forbiddenIpv4,
    count: fc.integer({ min: 1, max: 4 }),
    spellings: fc.tuple(spelling, spelling, spelling, spelling),
    stop: fc.constantFrom(".", "\u3002", "\uff0e", "%2e"),
    last: fc.constantFrom("", "."),
    disguise: fc.constantFrom((text: string) => text, fullWidth, percent),
  })
  .map(({ address, count, spellings, stop, last, disguise }) => {
    const parts = toParts(address, count).map((part, index) => spell(part, spellings[index] ?? spellings[0]));
    return parts.map(disguise).join(stop) + last;
  });

describe("address properties", () => {
  it("refuses every spelling of a forbidden IPv4 address", () => {
    fc.assert(
      fc.property(forbiddenHost, (host) => {
        expect(() => parseTarget("url", `http://${host}/`, ANY)).toThrow(ADDRESS);
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses every IPv6 address that embeds an IPv4 address", () => {
    const prefix = fc.constantFrom("::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "2002:", "2001:0:");
    fc.assert(
      fc.property(prefix, fc.integer({ min: 0, max: 0xffffffff }), (start, address) => {
        const groups = `${Math.floor(address / 65536).toString(16)}:${(address % 65536).toString(16)}`;
        const host = start.startsWith("200") ? `${start}${groups}::` : `${start}${groups}`;
        expect(() => parseTarget("url", `http://[${host}]/`, ANY_OR_PRIVATE)).toThrow(/^url: must lead to/);
      }),
      { numRuns: 500 },
    );
  });
});
