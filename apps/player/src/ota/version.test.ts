import { describe, expect, it } from "vitest";
import { isOlder } from "./version.ts";

describe("isOlder", () => {
  // In the order of semver.org, section 11.
  const ASCENDING = [
    ...["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"],
    ...["1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"],
  ];
  const pairs = ASCENDING.flatMap((one, place) => ASCENDING.slice(place + 1).map((other) => [one, other] as const));

  it.each(pairs)("orders %s before %s", (one, other) => {
    expect(isOlder(one, other)).toBe(true);
    expect(isOlder(other, one)).toBe(false);
  });

  it.each([
    ["1.0.0", "1.0.0"],
    ["v1.0.0", "1.0.0"],
    ["1.0", "1.0.0"],
    ["1.0.0+one", "1.0.0+two"],
  ])("treats %s and %s as equal", (one, other) => {
    expect([isOlder(one, other), isOlder(other, one)]).toEqual([false, false]);
  });

  it.each(["", "latest", "1..0", "1.0.0 ", "-1", "1.0.0-", "1.9999999999"])(
    "does not accept %j as a version",
    (text) => {
      expect(isOlder(text, "1.0.0")).toBe(undefined);
    },
  );
});
