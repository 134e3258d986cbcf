import { describe, expect, it } from "vitest";
import { parseIndicator } from "./indicator.ts";
import { toIocId } from "./ioc.ts";
import { findWarning } from "./warning-list.ts";

describe("an indicator", () => {
  // RFC 5952 (4.1 to 4.3, 5), RFC 3492 (7.1 has this name), and the WHATWG URL Standard.
  it.each([
    ["203.0.113.9", "ipv4", "203.0.113.9"],
    ["203[.]0[.]113[.]9", "ipv4", "203.0.113.9"],
    ["::ffff:192.0.2.1", "ipv4", "192.0.2.1"],
    ["2001:0DB8:0:0:0001:0:0:1", "ipv6", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "ipv6", "2001:db8:0:1:1:1:1:1"],
    ["192.0.2.77/24", "cidr", "192.0.2.0/24"],
    ["198.51.100.1/32", "ipv4", "198.51.100.1"],
    ["2001:db8:1:2::5/32", "cidr", "2001:db8::/32"],
    ["Evil[.]Example", "domain", "evil.example"],
    ["*.evil.example.", "domain", "evil.example"],
    ["bücher.example", "domain", "xn--bcher-kva.example"],
    ["hxxps://EVIL[.]example:443/A?b=C#part", "url", "https://evil.example/A?b=C"],
    ["hxxp[:]//user:secret@evil.example", "url", "http://evil.example/"],
    ["Bad.Guy[at]Evil(dot)example", "email", "bad.guy@evil.example"],
    ["44D88612FEA8A8F36DE82E1278ABB02F", "md5", "44d88612fea8a8f36de82e1278abb02f"],
    ["3395856ce81f2b7382dee72602f798b642f14140", "sha1", "3395856ce81f2b7382dee72602f798b642f14140"],
    [
      "275A021BBFB6489E54D471899F7DB9D1663FC695EC2FE2A2C4538AABF651FD0F",
      "sha256",
      "275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f",
    ],
  ])("parses %s as type %s with the value %s", (text, type, value) => {
    expect(parseIndicator(text)).toEqual({ type, value });
    expect(parseIndicator(value)).toEqual({ type, value });
  });

  it.each([
    ["", undefined, /^value: '' is not an indicator of a known type/],
    ["localhost", undefined, /^value: 'localhost' is not an indicator/],
    ["256.1.1.1", undefined, /^value: /],
    ["010.1.1.1", "ipv4", /^value: '010\.1\.1\.1' is not an IPv4 address$/],
    ["fe80::1%eth0", "ipv6", /^value: .* is not an IPv6 address$/],
    ["192.0.2.0/33", "cidr", /^value: /],
    ["javascript:alert(1)", "url", /^value: /],
    ["a b.example", "domain", /^value: /],
    ["@evil.example", "email", /^value: /],
    ["44d88612", "md5", /^value: '44d88612' is not an MD5 hash, 32 hexadecimal digits$/],
  ] as const)("refuses to parse an indicator from %s", (text, type, why) => {
    expect(() => parseIndicator(text, type)).toThrow(why);
  });

  it("gives an indicator one id for all of its spellings, and a different id for every other indicator", () => {
    const id = toIocId(parseIndicator("hxxp://evil[.]example"));
    expect(toIocId(parseIndicator("HTTP://EVIL.example/"))).toBe(id);
    expect(toIocId(parseIndicator("https://evil.example/"))).not.toBe(id);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("the warning list", () => {
  it.each([
    ["10.1.2.3", "a private network"],
    ["172.31.255.255", "a private network"],
    ["192.0.2.1", "a network for documentation and tests"],
    ["2001:db8::1", "a network for documentation and tests"],
    ["8.8.8.8", "a public resolver"],
    ["0.0.0.0/0", "a private network"],
    ["192.168.7.0/24", "a private network"],
    ["google.com", "a domain in common use"],
    ["https://www.google.com/", "a domain in common use"],
    ["http://127.0.0.1/x", "an address of the machine itself"],
    ["evil.example", "a domain for documentation and tests"],
    ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "the hash of an empty file"],
  ])("warns about %s as %s", (text, what) => {
    expect(findWarning(parseIndicator(text))).toBe(what);
  });

  it.each([
    "172.32.0.1",
    "5.6.7.8",
    "5.6.0.0/16",
    "login.google.com",
    "https://drive.google.com/file/x",
    "bad.guy@gmail.com",
  ])("does not warn about %s", (text) => {
    expect(findWarning(parseIndicator(text))).toBeUndefined();
  });
});
