import { expect, it } from "vitest";
import { readKeyState } from "./key-state.ts";

const NOW = new Date("2026-11-18T12:00:00Z");
const at = (expires_at: string, revoked = false) => readKeyState({ expires_at, revoked }, NOW);

it.each([
  ["2027-11-18T12:00:00Z", "works"],
  ["2026-12-02T12:00:00Z", "works"],
  ["2026-12-02T11:59:59Z", "ends-soon"],
  ["2026-11-18T12:00:01Z", "ends-soon"],
  ["2026-11-18T12:00:00Z", "expired"],
])("reports a key that expires at %s as %s", (until, state) => {
  expect(at(until)).toBe(state);
});

it("reports a revoked key as ended, whatever its date", () => {
  expect(at("2027-11-18T12:00:00Z", true)).toBe("ended");
});
