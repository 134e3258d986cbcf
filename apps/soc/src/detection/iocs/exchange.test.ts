import { describe, expect, it } from "vitest";
import { buildIoc, type Ioc, toIocId } from "./ioc.ts";
import type { CreateIocRequest } from "./iocs.schema.ts";
import { readMisp, toMispAttribute } from "./misp.ts";
import { readStix, stixMarkings, toStixIndicator } from "./stix.ts";
import { parsePatternValues } from "./stix-pattern.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");

// Patterns from MISP's documentation of its STIX 2.1 export, and the example in STIX 2.1, section 9.
describe("a STIX pattern", () => {
  it.each([
    ["[domain-name:value = 'circl.lu']", [{ type: "domain", value: "circl.lu" }]],
    ["[email-addr:value = 'address@email.test']", [{ type: "email", value: "address@email.test" }]],
    ["[ipv4-addr:value = '198.51.100.1/32']", [{ type: "cidr", value: "198.51.100.1/32" }]],
    [
      "[network-traffic:dst_ref.type = 'ipv4-addr' AND network-traffic:dst_ref.value = '5.6.7.8']",
      [{ value: "5.6.7.8" }],
    ],
    [
      "[ipv4-addr:value = '39.61.49.128'] OR [ipv4-addr:value = '187.188.148.16']",
      [
        { type: "ipv4", value: "39.61.49.128" },
        { type: "ipv4", value: "187.188.148.16" },
      ],
    ],
    [
      "[file:hashes.MD5 = 'b2a5abfeef9e36964281a31e17b57c97' OR file:hashes.'SHA-256' = 'aec070645fe53ee3b3763059376134f058cc337247c978add178b6ccdfb0019f']",
      [
        { type: "md5", value: "b2a5abfeef9e36964281a31e17b57c97" },
        { type: "sha256", value: "aec070645fe53ee3b3763059376134f058cc337247c978add178b6ccdfb0019f" },
      ],
    ],
    [
      "[ipv4-addr:value IN ('5.6.7.8', '5.6.7.9')]",
      [
        { type: "ipv4", value: "5.6.7.8" },
        { type: "ipv4", value: "5.6.7.9" },
      ],
    ],
    [
      String.raw`[url:value = 'http://bad.test/it\'s\\x']`,
      [{ type: "url", value: String.raw`http://bad.test/it's\x` }],
    ],
  ])("parses a STIX pattern: %s", (pattern, values) => {
    expect(parsePatternValues(pattern)).toEqual(values);
  });

  it.each([
    ["[autonomous-system:number = '174']", /^pattern: 'autonomous-system:number' is not supported$/],
    [
      "[file:name = 'attachment.test' AND file:content_ref.payload_bin = 'ZWNo']",
      /^pattern: combines conditions with AND/,
    ],
    ["[domain-name:value = 'circl.lu' AND domain-name:resolves_to_refs[*].value = '149.13.33.14']", /^pattern: /],
    ["[file:hashes.AUTHENTIHASH = 'b3b8']", /is not supported$/],
    ["[file:hashes.constructor = 'b3b8']", /is not supported$/],
    [
      "[ipv4-addr:value = '5.6.7.8'] FOLLOWEDBY [ipv4-addr:value = '5.6.7.9']",
      /^pattern: 'FOLLOWEDBY' is not supported$/,
    ],
    ["[ipv4-addr:value = '5.6.7.8'] WITHIN 5 SECONDS", /^pattern: 'WITHIN' is not supported$/],
    ["[url:value LIKE '%bad%']", /^pattern: 'LIKE' is not supported, only = and IN are$/],
    ["[url:value != 'x']", /^pattern: '!=' is not supported/],
    ["[url:value = 5]", /^pattern: /],
    ["[url:value = 'x'", /^pattern: expected '\]' but the pattern ends$/],
    ["", /^pattern: expected '\[' but the pattern ends$/],
  ])("refuses a STIX pattern: %s", (pattern, why) => {
    expect(() => parsePatternValues(pattern)).toThrow(why);
  });
});

const REQUESTS: CreateIocRequest[] = [
  { value: "5.6.7.8", confidence: 90, severity: "high", tags: ["botnet", "c2"], tlp: "amber+strict" },
  { value: "2a00:1::/32", severity: "low", expires_at: "2027-01-01T00:00:00.000Z" },
  { value: "2a00::1", source: "a 'quoted' source" },
  { value: "evil-domain.net", confidence: 0, tlp: "red" },
  { value: "http://bad-domain.net/it's?a=b\\c" },
  { value: "boss@bad-domain.net" },
  { value: "44d88612fea8a8f36de82e1278abb02f" },
  { value: "3395856ce81f2b7382dee72602f798b642f14140" },
  { value: "275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f" },
];
const IOCS: Ioc[] = REQUESTS.map((request) => {
  const given = { first_seen: "2026-11-01T00:00:00.000Z", last_seen: "2026-11-14T00:00:00.000Z", ...request };
  const {
    searched_at: _,
    search_is_capped: __,
    created_at: ___,
    updated_at: ____,
    ...ioc
  } = buildIoc(given, "tester", NOW);
  return ioc;
});

describe("an export", () => {
  it.each([
    [
      "stix",
      () => readStix({ type: "bundle", id: "bundle--x", objects: [...stixMarkings(), ...IOCS.map(toStixIndicator)] }),
    ],
    ["misp", () => readMisp({ Event: { info: "x", Attribute: IOCS.map(toMispAttribute) } })],
  ])("as %s contains everything that an import needs to restore the indicators", (_, readBack) => {
    const again = readBack().map((reading) =>
      "request" in reading ? buildIoc(reading.request, "test", NOW) : reading,
    );
    expect(again).toMatchObject(IOCS);
  });

  it("exports the fields that STIX 2.1 requires of an indicator, and a stable id", () => {
    const [first] = IOCS;
    if (!first) throw new Error("no indicator");
    expect(toStixIndicator(first)).toMatchObject({
      type: "indicator",
      spec_version: "2.1",
      id: `indicator--${toIocId(first)}`,
      created: "2026-11-01T00:00:00.000Z",
      modified: "2026-11-14T00:00:00.000Z",
      pattern: "[ipv4-addr:value = '5.6.7.8']",
      pattern_type: "stix",
      valid_from: "2026-11-01T00:00:00.000Z",
      object_marking_refs: ["marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003"],
    });
  });
});

describe("an import", () => {
  it("parses a bundle and reports every object that is not a supported indicator", () => {
    const indicator = (more: object) => ({
      type: "indicator",
      spec_version: "2.1",
      id: "indicator--8e2e2d2b-17d4-4cbf-938f-98ee46b3cd3f",
      created_by_ref: "identity--f431f809-377b-45e0-aa1c-6a4751cae5ff",
      created: "2016-04-06T20:03:48.000Z",
      modified: "2016-04-06T20:03:48.000Z",
      pattern: "[ipv4-addr:value = '5.6.7.8']",
      pattern_type: "stix",
      valid_from: "2016-01-01T00:00:00Z",
      ...more,
    });
    const readings = readStix({
      type: "bundle",
      id: "bundle--5d0092c5-5f74-4287-9642-33f4c354e56d",
      objects: [
        { type: "identity", id: "identity--f431f809-377b-45e0-aa1c-6a4751cae5ff", name: "ACME Widget, Inc." },
        indicator({
          confidence: 80,
          labels: ["malicious-activity"],
          valid_until: "2030-01-01T00:00:00Z",
          object_marking_refs: ["marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da"],
        }),
        { type: "malware", id: "malware--31b940d4-6f7f-459a-80ea-9c1f17b5891b", name: "Poison Ivy" },
        indicator({ pattern_type: "yara", pattern: "rule x {}" }),
        indicator({ revoked: true }),
        "nonsense",
      ],
    });
    expect(readings).toEqual([
      {
        object: 1,
        id: "indicator--8e2e2d2b-17d4-4cbf-938f-98ee46b3cd3f",
        request: {
          type: "ipv4",
          value: "5.6.7.8",
          source: "ACME Widget, Inc.",
          tags: ["malicious-activity"],
          confidence: 80,
          tlp: "green",
          first_seen: "2016-01-01T00:00:00Z",
          last_seen: "2016-04-06T20:03:48.000Z",
          expires_at: "2030-01-01T00:00:00Z",
        },
      },
      { object: 2, id: "malware--31b940d4-6f7f-459a-80ea-9c1f17b5891b", reason: "type: 'malware' is not an indicator" },
      expect.objectContaining({ object: 3, reason: "pattern_type: 'yara' is not supported, only stix is" }),
      expect.objectContaining({ object: 4, reason: "revoked: the indicator was revoked" }),
      { object: 5, id: "", reason: "is not an object" },
    ]);
    expect(() => readStix([])).toThrow(/^body: must be a STIX 2.1 bundle/);
  });

  // The event has the structure of the events in PyMISP's tests.
  it("parses a MISP event and applies its tags to the attributes", () => {
    const readings = readMisp({
      response: [
        {
          Event: {
            info: "A Random Event",
            threat_level_id: "1",
            Orgc: { id: "1", name: "ORGNAME", uuid: "57586e9a-4a64-4f79-9009-4dc1c0a83866" },
            Tag: [{ name: 'ecsirt:malicious-code="ransomware"' }, { name: "tlp:white" }],
            Attribute: [
              {
                type: "url",
                uuid: "u1",
                timestamp: "1465681304",
                to_ids: true,
                value: "http://fake.website.com/malware/is/here",
              },
              { type: "text", uuid: "u2", timestamp: "1465681801", to_ids: false, value: "Locky" },
              { type: "domain|ip", uuid: "u3", timestamp: "1603642920", value: "circl.lu|149.13.33.14" },
              { type: "md5", uuid: "u4", to_ids: false, value: "44d88612fea8a8f36de82e1278abb02f" },
            ],
            Object: [
              { Attribute: [{ type: "filename|md5", uuid: "u5", value: "a|44d88612fea8a8f36de82e1278abb02f" }] },
            ],
          },
        },
      ],
    });
    const common = { source: "ORGNAME", severity: "high", tlp: "clear", tags: ['ecsirt:malicious-code="ransomware"'] };
    const at = (time: string) => ({ first_seen: time, last_seen: time });
    expect(readings).toEqual([
      {
        object: 0,
        id: "u1",
        request: {
          ...common,
          ...at("2016-06-11T21:41:44.000Z"),
          type: "url",
          value: "http://fake.website.com/malware/is/here",
        },
      },
      { object: 1, id: "u2", reason: "type: 'text' is not supported" },
      {
        object: 2,
        id: "u3",
        request: { ...common, ...at("2020-10-25T16:22:00.000Z"), type: "domain", value: "circl.lu" },
      },
      { object: 2, id: "u3", request: { ...common, ...at("2020-10-25T16:22:00.000Z"), value: "149.13.33.14" } },
      { object: 3, id: "u4", reason: "to_ids: the attribute is not meant for detection" },
      { object: 4, id: "u5", request: { ...common, type: "md5", value: "44d88612fea8a8f36de82e1278abb02f" } },
    ]);
    const member = { Event: { Attribute: [{ type: "constructor", uuid: "u6", value: "x" }] } };
    expect(readMisp(member)).toEqual([{ object: 0, id: "u6", reason: "type: 'constructor' is not supported" }]);
    expect(() => readMisp({ hello: 1 })).toThrow(/^body: must be a MISP event/);
  });

  it("accepts at most ten thousand objects", () => {
    const objects = Array.from({ length: 10_001 }, () => ({ type: "identity" }));
    expect(() => readStix({ type: "bundle", objects })).toThrow(/^body: must have at most 10000 objects$/);
    expect(() => readMisp({ Attribute: objects })).toThrow(/^body: must have at most 10000 objects$/);
  });
});
