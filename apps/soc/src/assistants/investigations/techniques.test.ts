import { describe, expect, it } from "vitest";
import { isSameTechnique, toWholeTechnique, withOlderIds } from "./techniques.ts";

describe("ATT&CK technique ids", () => {
  // T1562 became T1685 to T1690 in ATT&CK 19; clearing logs was T1070 before.
  it.each([
    ["T1059.001", ["T1059.001"]],
    ["T1685.001", ["T1685.001", "T1562.002"]],
    ["T1685.005", ["T1685.005", "T1070.001"]],
    ["T1685.099", ["T1685.099", "T1562"]],
    ["T1690", ["T1690", "T1562"]],
  ])("lists for %s also %j", (id, ids) => {
    expect(withOlderIds(id)).toEqual(ids);
  });

  it.each([
    ["T1003.001", "T1003.001", true],
    ["T1003", "T1003.001", true],
    ["T1003.001", "T1003.002", false],
    ["T1562.002", "T1685.001", true],
    ["T1562.002", "T1685", true],
    ["T1562.002", "T1685.005", false],
    ["T1021", "T1021.003", true],
    ["T1055", "T1550", false],
  ])("compares %s with %s as the same: %s", (a, b, isSame) => {
    expect(isSameTechnique(a, b)).toBe(isSame);
    expect(isSameTechnique(b, a)).toBe(isSame);
  });

  it.each([
    ["T1685.005", "T1562"],
    ["T1688", "T1562"],
    ["T1686.003", "T1562"],
    ["T1003.001", "T1003"],
  ])("maps %s to the whole technique %s", (id, whole) => {
    expect(toWholeTechnique(id)).toBe(whole);
  });
});
