import { expect, it } from "vitest";
import { createBackoff } from "./backoff.ts";

const createFixed = (chance: number) =>
  createBackoff({ firstMs: 1000, maxMs: 10_000, ids: { secret: () => Buffer.from([0, 0, chance, chance]) } });

it("doubles up to its limit and starts again after a success", () => {
  const backoff = createFixed(0);
  expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  backoff.reset();
  expect(backoff.next()).toBe(1000);
});

it("shortens each wait by up to a half", () => {
  expect(createFixed(0xff).next()).toBe(500);
  expect(createFixed(0x80).next()).toBe(749);
});
