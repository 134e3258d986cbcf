import { describe, expect, it } from "vitest";
import { findShownZone, zoneLabel, zoneOptions } from "./zone-options.ts";

const zones = [
  { name: "Asia/Aden", rule: "<+03>-3" },
  { name: "Asia/Riyadh", rule: "<+03>-3" },
  { name: "Europe/Berlin", rule: "CET-1CEST,M3.5.0,M10.5.0/3" },
];

describe("a zone", () => {
  it.each([
    ["Asia/Riyadh", "Riyadh (Asia)"],
    ["America/Argentina/Buenos_Aires", "Buenos Aires (America, Argentina)"],
    ["UTC", "UTC"],
  ])("lists %s as %s", (name, label) => {
    expect(zoneLabel(name)).toBe(label);
  });

  it("finds a zone by its city", () => {
    expect(zoneOptions(zones).map(({ value }) => value)).toEqual(["Asia/Aden", "Europe/Berlin", "Asia/Riyadh"]);
  });

  it.each([
    ["<+03>-3", ["Asia/Riyadh", "Asia/Aden"], "Asia/Riyadh"],
    ["<+03>-3", [undefined, "Asia/Riyadh"], "Asia/Riyadh"],
    ["<+03>-3", ["Europe/Berlin"], "Asia/Aden"],
    ["<+04>-4", ["Asia/Riyadh"], undefined],
  ])("selects the zone of the rule %s, with %j preferred: %s", (rule, preferred, shown) => {
    expect(findShownZone(rule, zones, preferred)).toBe(shown);
  });
});
