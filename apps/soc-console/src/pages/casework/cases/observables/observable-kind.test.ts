import { describe, expect, it } from "vitest";
import { guessType, toEntityType, toHuntQuery } from "./observable-kind.ts";

describe("an observable", () => {
  it.each([
    ["203.0.113.44", "ip"],
    ["2001:db8::1", "ip"],
    ["cdn-update.example", "domain"],
    ["https://cdn-update.example/a", "url"],
    ["layla@corp.example", "email"],
    ["d41d8cd98f00b204e9800998ecf8427e", "md5"],
    ["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "sha256"],
    ["fin-ws-014", "host"],
  ])("detects %s as %s", (value, type) => {
    expect(guessType(value)).toBe(type);
  });

  it("links to the entity page if there is one", () => {
    expect(["ipv4", "SHA256", "hostname", "url"].map(toEntityType)).toEqual(["address", "hash", "host", undefined]);
  });

  it("searches by the field of the type and quotes the value", () => {
    expect(toHuntQuery("ip", "203.0.113.44")).toBe('src_ip:"203.0.113.44" OR dst_ip:"203.0.113.44"');
    expect(toHuntQuery("process", 'a "b"\\c')).toBe('"a \\"b\\"\\\\c"');
  });
});
