import { expect, it } from "vitest";
import { readSourceState } from "./source-state.ts";

const GOOD = { silent_since: null, watch: true, stored: 12, rejected: 0 };

it.each([
  ["sends", GOOD],
  ["sends", { ...GOOD, rejected: 3 }],
  ["silent", { ...GOOD, silent_since: "2026-11-18T00:13:42Z" }],
  ["silent", { ...GOOD, watch: false, silent_since: "2026-11-18T00:13:42Z" }],
  ["refused", { ...GOOD, stored: 0, rejected: 3 }],
  ["empty", { ...GOOD, stored: 0 }],
  ["unwatched", { ...GOOD, watch: false }],
])("reports %s for %j", (state, source) => {
  expect(readSourceState(source)).toBe(state);
});
