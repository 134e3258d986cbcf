import fc from "fast-check";
import { expect, it } from "vitest";
import { buildPartialSuccess } from "./otlp-answer.ts";
import { readOtlpEvents } from "./otlp-events.ts";
import { exportRequestIn } from "./otlp-protobuf.ts";

// Written by protoc 3.21 from the text form of the project's examples/logs.json, with more kinds of values.
const ENCODED = Buffer.from(
  [
    "CrQDCh4KHAoMc2VydmljZS5uYW1lEgwKCm15LnNlcnZpY2US9QIKQQoKbXkubGlicmFyeRIFMS4wLjAaLAoSbXkuc2NvcGUuYXR0cmlidXRl",
    "EhYKFHNvbWUgc2NvcGUgYXR0cmlidXRlEq8CCQDrOvX6628VEAoaC0luZm9ybWF0aW9uKhQKEkV4YW1wbGUgbG9nIHJlY29yZDIXChFib29s",
    "ZWFuLmF0dHJpYnV0ZRICEAEyHAoNaW50LmF0dHJpYnV0ZRILGPb//////////wEyHQoQZG91YmxlLmF0dHJpYnV0ZRIJIRKDwMqh7YNAMigK",
    "D2FycmF5LmF0dHJpYnV0ZRIVKhMKBgoEbWFueQoJGIGAgICAgIAQMjEKDW1hcC5hdHRyaWJ1dGUSIDIeChwKDHNvbWUubWFwLmtleRIMCgpz",
    "b21lIHZhbHVlMhcKD2J5dGVzLmF0dHJpYnV0ZRIEOgIA/zgCRQEAAABKEFuO//eYA4ED0mm2M4E/xgxSCO7hm37DwbF0WQDrOvX6628VYgdl",
    "eGFtcGxlGhpodHRwczovL2V4YW1wbGUub3JnL3NjaGVtYQ==",
  ].join(""),
  "base64",
);

// The project's examples/logs.json.
const EXAMPLE = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "my.service" } }] },
      scopeLogs: [
        {
          scope: { name: "my.library", version: "1.0.0" },
          logRecords: [
            {
              timeUnixNano: "1544712660300000000",
              observedTimeUnixNano: "1544712660300000000",
              severityNumber: 10,
              severityText: "Information",
              traceId: "5B8EFFF798038103D269B633813FC60C",
              spanId: "EEE19B7EC3C1B174",
              body: { stringValue: "Example log record" },
              attributes: [
                { key: "string.attribute", value: { stringValue: "some string" } },
                { key: "boolean.attribute", value: { boolValue: true } },
                { key: "int.attribute", value: { intValue: "10" } },
                { key: "double.attribute", value: { doubleValue: 637.704 } },
                {
                  key: "array.attribute",
                  value: { arrayValue: { values: [{ stringValue: "many" }, { stringValue: "values" }] } },
                },
                {
                  key: "map.attribute",
                  value: { kvlistValue: { values: [{ key: "some.map.key", value: { stringValue: "some value" } }] } },
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

it("parses the JSON example", () => {
  expect(readOtlpEvents(EXAMPLE)).toEqual([
    {
      source: "my.service",
      raw: expect.any(String),
      fields: {
        "service.name": "my.service",
        "string.attribute": "some string",
        "boolean.attribute": true,
        "int.attribute": 10,
        "double.attribute": 637.704,
        "array.attribute": ["many", "values"],
        "map.attribute": { "some.map.key": "some value" },
        message: "Example log record",
        timestamp: "2018-12-13T14:51:00.300Z",
        severity: "info",
        severity_text: "Information",
        trace_id: "5B8EFFF798038103D269B633813FC60C",
        span_id: "EEE19B7EC3C1B174",
        scope: "my.library",
      },
    },
  ]);
});

it("parses the output of protoc, and the same events again from the stored text", () => {
  const found = readOtlpEvents(exportRequestIn(ENCODED)) ?? [];
  expect(found).toMatchObject([
    {
      source: "my.service",
      fields: {
        "service.name": "my.service",
        "boolean.attribute": true,
        "int.attribute": -10,
        "double.attribute": 637.704,
        "array.attribute": ["many", "9007199254740993"],
        "map.attribute": { "some.map.key": "some value" },
        "bytes.attribute": "AP8=",
        message: "Example log record",
        timestamp: "2018-12-13T14:51:00.300Z",
        severity: "info",
        trace_id: "5b8efff798038103d269b633813fc60c",
        span_id: "eee19b7ec3c1b174",
        event_name: "example",
        scope: "my.library",
      },
    },
  ]);
  expect(readOtlpEvents(JSON.parse(found[0]?.raw ?? ""))).toEqual(found);
});

it.each([
  [1, "info"],
  [9, "info"],
  [13, "warning"],
  [17, "error"],
  [21, "fatal"],
])("maps severity number %i to %s", (severityNumber, severity) => {
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ severityNumber, severityText: "X" }] }] }] };
  expect(readOtlpEvents(request)).toMatchObject([{ fields: { severity } }]);
});

it("uses an object in the body as the event's own fields", () => {
  const body = { kvlistValue: { values: [{ key: "user", value: { stringValue: "noor" } }] } };
  const request = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body }] }] }] };
  expect(readOtlpEvents(request)).toMatchObject([{ fields: { user: "noor" } }]);
});

it.each([[undefined], [null], [7], [[]]])("refuses %j", (request) => {
  expect(readOtlpEvents(request)).toBeUndefined();
});

it("refuses every truncated message and never throws on a changed byte", () => {
  for (let end = 1; end < ENCODED.length; end += 1) expect(exportRequestIn(ENCODED.subarray(0, end))).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(ENCODED.length - 1), fc.nat(255), (place, byte) => {
      const changed = Buffer.from(ENCODED);
      changed[place] = byte;
      readOtlpEvents(exportRequestIn(changed));
    }),
    { numRuns: 5000 },
  );
});

it("reports the number of refused records as the protocol requires", () => {
  expect(buildPartialSuccess([])).toEqual({ json: {}, protobuf: Buffer.alloc(0) });
  const refused = Array.from({ length: 300 }, () => ({ reason: "no" }));
  const { json, protobuf } = buildPartialSuccess(refused);
  expect(json).toEqual({ partialSuccess: { rejectedLogRecords: "300", errorMessage: "no" } });
  // protoc --encode of partial_success { rejected_log_records: 300 error_message: "no" }
  expect(protobuf.toString("hex")).toBe("0a0708ac0212026e6f");
});
