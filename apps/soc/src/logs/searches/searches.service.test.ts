import { expect, it } from "vitest";
import type { Caller } from "../../foundation/caller/caller.ts";
import { createSearchesService } from "./searches.service.ts";

const layla: Caller = { kind: "user", username: "layla", role: "tier1" };

it("cancels every request of a search at once, and no other search", () => {
  const searches = createSearchesService();
  const [rows, histogram, other] = [searches.begin(layla, "a"), searches.begin(layla, "a"), searches.begin(layla, "b")];
  expect(searches.cancel(layla, "a")).toEqual({ search_id: "a", cancelled: 2 });
  expect([rows.signal.aborted, histogram.signal.aborted, other.signal.aborted]).toEqual([true, true, false]);
});

it.each<Caller>([
  { kind: "user", username: "omar", role: "admin" },
  { kind: "api_key", username: "layla", role: "agent" },
])("hides the search of another caller from %j", (caller) => {
  const searches = createSearchesService();
  const { signal } = searches.begin(layla, "a");
  expect(searches.cancel(caller, "a").cancelled).toBe(0);
  expect(signal.aborted).toBe(false);
});

it("keeps a search that began under the name of a cancelled one", () => {
  const searches = createSearchesService();
  const first = searches.begin(layla, "a");
  searches.cancel(layla, "a");
  const second = searches.begin(layla, "a");
  first.end();
  expect(searches.cancel(layla, "a").cancelled).toBe(1);
  expect(second.signal.aborted).toBe(true);
});

it("forgets a search that has ended", () => {
  const searches = createSearchesService();
  searches.begin(layla, "a").end();
  expect(searches.cancel(layla, "a").cancelled).toBe(0);
});
