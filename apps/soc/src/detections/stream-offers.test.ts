import { expect, it } from "vitest";
import { sampleLog } from "../../testing/log-engine.ts";
import { createStreamOffers } from "./stream-offers.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 10, 0, second));
const batch = (second: number, count: number) =>
  Array.from({ length: count }, (_, n) => sampleLog({ id: `${second}-${n}`, ingested_at: at(second).toISOString() }));
const ids = (logs: readonly { id: string }[]) => logs.map(({ id }) => id);

it("answers the logs of a window, without those at its end", () => {
  const offers = createStreamOffers();
  for (const second of [1, 2, 3]) offers.add(batch(second, 1));
  expect(ids(offers.in({ from: at(1), to: at(3) }))).toEqual(["1-0", "2-0"]);
});

it("forgets what the stream has passed", () => {
  const offers = createStreamOffers();
  for (const second of [1, 2]) offers.add(batch(second, 1));
  offers.forgetBefore(at(2));
  expect(ids(offers.in({ from: at(0), to: at(9) }))).toEqual(["2-0"]);
});

it("forgets the oldest when the stream does not keep up", () => {
  const offers = createStreamOffers(5);
  for (const second of [1, 2, 3]) offers.add(batch(second, 2));
  expect(ids(offers.in({ from: at(0), to: at(9) }))).toEqual(["2-0", "2-1", "3-0", "3-1"]);
});
