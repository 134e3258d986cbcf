import Value from "typebox/value";
import { expect, it } from "vitest";
import records from "./seed.json" with { type: "json" };
import { Seed } from "./seed.ts";

it("matches the schema of the seed records", () => {
  expect([...Value.Errors(Seed, records)].map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([]);
});

it("rejects a seed record with an unknown severity", () => {
  const [alert] = records.alerts;
  expect(Value.Check(Seed, { ...records, alerts: [{ ...alert, severity: "severe" }] })).toBe(false);
});
