import { describe, expect, it } from "vitest";
import { parseAddress, parseBroker, parseFingerprint } from "./platform-address.ts";

describe("the address of a platform", () => {
  it.each([
    ["soc.example.org:8444", { host: "soc.example.org", port: 8444, text: "soc.example.org:8444" }],
    [" https://SOC.example.org:8444/ ", { host: "soc.example.org", port: 8444, text: "soc.example.org:8444" }],
    ["10.0.0.7:443", { host: "10.0.0.7", port: 443, text: "10.0.0.7:443" }],
    ["[fd00::7]:443", { host: "fd00::7", port: 443, text: "[fd00::7]:443" }],
  ])("the address of a platform is read from '%s'", (given, address) => {
    expect(parseAddress(given)).toEqual(address);
  });

  it.each([
    ...["soc.example.org", "http://soc.example.org:1", "soc:0", "soc:65536", "soc:8444/path", "a b:1", ":1"],
    ...["user@soc:1", "soc:1?x", "[zz]:1", "ftp://soc:1", "soc:", "[::1:443"],
  ])("the address of a platform is refused when it is '%s'", (given) => {
    expect(() => parseAddress(given)).toThrow("address: must be host:port");
  });
});

it("reads a fingerprint with and without colons, and nothing else", () => {
  const digits = "0a".repeat(32);
  expect(parseFingerprint(digits)).toBe(digits);
  expect(parseFingerprint(` ${"0A:".repeat(31)}0A `)).toBe(digits);
  for (const given of ["", "0a".repeat(31), "0a".repeat(33), "zz".repeat(32)]) {
    expect(() => parseFingerprint(given)).toThrow("authority_fingerprint: must be 64 hex digits");
  }
});

it("finds a broker on the platform's own machine at the platform's address", () => {
  const platform = parseAddress("10.0.0.7:8444");
  expect(parseBroker("mqtts://localhost:8883", platform).text).toBe("10.0.0.7:8883");
  expect(parseBroker("mqtts://127.0.0.1", platform).text).toBe("10.0.0.7:8883");
  expect(parseBroker("mqtts://broker.example.org:1884", platform).text).toBe("broker.example.org:1884");
  expect(parseBroker("mqtts://[::1]:1884", parseAddress("[fd00::7]:1")).text).toBe("[fd00::7]:1884");
});
