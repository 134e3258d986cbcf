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
  ])("%s is taken for a %s", (value, type) => {
    expect(guessType(value)).toBe(type);
  });

  it("leads to the page of its entity, where there is one", () => {
    expect(["ipv4", "SHA256", "hostname", "url"].map(toEntityType)).toEqual(["address", "hash", "host", undefined]);
  });

  it("is searched by its field, with quotes inside of it kept", () => {
    expect(toHuntQuery("ip", "203.0.113.44")).toBe('src_ip:"203.0.113.44" OR dst_ip:"203.0.113.44"');
    expect(toHuntQuery("process", 'a "b"\\c')).toBe('"a \\"b\\"\\\\c"');
  });
});
