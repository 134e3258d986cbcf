import { expect, it } from "vitest";
import type { CheckedIoc } from "./iocs-client.ts";
import { chooseItems, findFormat, readTags, toEnd } from "./new-iocs.ts";

const make = (given: string, state: CheckedIoc["state"], value: string | null = given): CheckedIoc => ({
  given,
  state,
  value,
  type: null,
  reason: null,
  id: null,
});

it("stores new values, and values on a warning list only on request", () => {
  const items = [
    make("EVIL.test", "new", "evil.test"),
    make("evil.test", "new"),
    make("known.test", "known"),
    make("10.0.0.1", "warned"),
    make("x", "refused", null),
  ];
  expect(chooseItems(items, false)).toEqual(["evil.test"]);
  expect(chooseItems(items, true)).toEqual(["evil.test", "10.0.0.1"]);
});

it("reads tags separated by commas or spaces", () => {
  expect(readTags(" c2, phishing  c2،مالي ")).toEqual(["c2", "phishing", "مالي"]);
  expect(readTags("")).toEqual([]);
});

it("counts days from now", () => {
  const now = new Date("2026-11-18T00:00:00.000Z");
  expect(toEnd("30", now)).toBe("2026-12-18T00:00:00.000Z");
  expect(toEnd("", now)).toBeNull();
});

it("distinguishes a STIX bundle from a MISP event", () => {
  expect(findFormat('{"type": "bundle", "objects": []}')).toBe("stix");
  expect(findFormat('{"Event": {"Attribute": []}}')).toBe("misp");
});
