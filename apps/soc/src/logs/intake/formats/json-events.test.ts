import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isParseError } from "./event.ts";
import { readHecEvents } from "./hec-events.ts";
import { readJsonEvents } from "./json-events.ts";
import { valuesIn } from "./json-values.ts";

describe("the parser of JSON and NDJSON", () => {
  it.each([
    ["a list", '[{"a":1},\n {"b":"]"}]', ['{"a":1}', '{"b":"]"}']],
    ["lines", '{"a":1}\n{"b":2}\r\n\n{"c":3}', ['{"a":1}', '{"b":2}', '{"c":3}']],
    ["one object over several lines", '{\n  "a": 1\n}\n', ['{\n  "a": 1\n}']],
    ["a byte order mark before a list", '\uFEFF[{"a":1}]', ['{"a":1}']],
    ["nothing", " \n", []],
    ["an empty list", "[]", []],
  ])("parses %s", (_what, body, raws) => {
    const found = readJsonEvents(body);
    expect(found.map(({ raw }) => raw)).toEqual(raws);
    expect(found.filter(isParseError)).toEqual([]);
    expect(found).toEqual(raws.map((raw) => ({ raw, fields: JSON.parse(raw) })));
  });

  it("keeps the text of numbers that JavaScript cannot represent", () => {
    expect(readJsonEvents('[{"id":1,"n":12345678901234567890}]')[0]?.raw).toBe('{"id":1,"n":12345678901234567890}');
  });

  it("accepts only strings as the event's id and source", () => {
    expect(readJsonEvents('{"id":"e-1","source":"vpn"}')).toMatchObject([{ id: "e-1", source: "vpn" }]);
    const [other] = readJsonEvents('{"id":7,"source":{"ip":"192.0.2.1"}}');
    expect(other).not.toHaveProperty("id");
    expect(other).not.toHaveProperty("source");
  });

  it.each([
    ['{"a":1}\n{"b":\n{"c":3}', [undefined, "event: must be valid JSON", undefined]],
    ['[{"a":1}, 7, "x", null, {"b":2}]', [undefined, ...Array(3).fill("event: must be an object"), undefined]],
    ['[{"a":1}, {"b":2', [undefined, "event: must be valid JSON"]],
    [`{"a":${"[".repeat(64)}${"]".repeat(64)}}`, ["event: must be at most 64 levels deep"]],
    [`{"a":"${"x".repeat(1024 * 1024)}"}`, ["event: must be at most 1048576 characters"]],
  ])("refuses each part that is not an event and parses the others: %.30s", (body, reasons) => {
    expect(readJsonEvents(body).map((found) => (isParseError(found) ? found.reason : undefined))).toEqual(reasons);
  });

  it("finds every event of a list or of lines, whatever the content", () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), { maxLength: 20 });
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 2), (events, space) => {
        expect(readJsonEvents(JSON.stringify(events, null, space)).filter(isParseError)).toEqual([]);
        expect(valuesIn(JSON.stringify(events, null, space)).map((raw) => JSON.parse(raw))).toEqual(
          JSON.parse(JSON.stringify(events)),
        );
        const lines = events.map((event) => JSON.stringify(event));
        expect(readJsonEvents(lines.join("\n")).map(({ raw }) => raw)).toEqual(lines);
      }),
      { numRuns: 300 },
    );
  });

  it("never throws, and drops no characters except blanks and commas", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ",",
      ":",
      " ",
      "\n",
      "a",
      "1",
      '{"event":1}',
      "é",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const body = parts.join("");
        for (const read of [readJsonEvents, readHecEvents]) {
          const kept = read(body)
            .map(({ raw }) => raw)
            .join("");
          // The brackets of a list are not part of its items.
          const bare = (text: string) => text.replace(/[\s,[\]\0\uFEFF]/g, "");
          expect(bare(kept)).toBe(bare(body));
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("the parser of the HTTP Event Collector", () => {
  // docs.splunk.com, "Format events for HTTP Event Collector".
  it("parses the documented envelope", () => {
    const body = `{
      "time": 1426279439,
      "host": "localhost",
      "source": "random-data-generator",
      "sourcetype": "my_sample_data",
      "index": "main",
      "event":  "Hello world!"
    }`;
    expect(readHecEvents(body)).toEqual([
      {
        fields: {
          message: "Hello world!",
          timestamp: 1_426_279_439,
          host: "localhost",
          sourcetype: "my_sample_data",
          index: "main",
        },
        raw: body,
        source: "random-data-generator",
      },
    ]);
  });

  it("parses concatenated objects, and an object as the event", () => {
    const body =
      '{"event":"Pony 1 has left the barn"}{"event":{"user":"noor"},"fields":{"club":"glee"},"time":"1433188255.500"}';
    expect(readHecEvents(body).map((found) => "fields" in found && found.fields)).toEqual([
      { message: "Pony 1 has left the barn" },
      { user: "noor", club: "glee", timestamp: 1_433_188_255.5 },
    ]);
  });

  it("prefers the host and time of the event itself", () => {
    const [found] = readHecEvents(
      '{"host":"relay","time":1,"event":{"host":"web-1","timestamp":"2026-01-02T03:04:05Z"}}',
    );
    expect(found).toMatchObject({ fields: { host: "web-1", timestamp: "2026-01-02T03:04:05Z" } });
  });

  it.each([
    ['{"time":1}', "event: is required"],
    ['{"event":""}', "event: must not be blank"],
    ['{"event":1}garbage', "event: must be valid JSON"],
    ['{"event":"half', "event: must be valid JSON"],
  ])("refuses invalid events: %s", (body, reason) => {
    expect(readHecEvents(body).at(-1)).toMatchObject({ reason });
  });
});
