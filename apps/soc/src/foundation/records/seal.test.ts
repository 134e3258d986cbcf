import { createFakeIds } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createRenewedSeal, createSeal, KEY_BYTES } from "./seal.ts";

const ids = createFakeIds();
const [former, next] = [Buffer.alloc(KEY_BYTES, 1), Buffer.alloc(KEY_BYTES, 2)];

it("decrypts with either key, without a restart after the files have changed", () => {
  let files: Buffer[] = [former];
  const seal = createRenewedSeal(() => files, ids);
  const old = seal.close("a", "text");
  const early = createSeal(next, ids).close("a", "early");
  expect(seal.open("a", early)).toBeUndefined();
  files = [next, former];
  expect([seal.open("a", early), seal.open("a", old)]).toEqual(["early", "text"]);
  expect(createSeal(next, ids).open("a", seal.close("a", "text"))).toBe("text");
  files = [next];
  expect(seal.open("b", early)).toBeUndefined();
  expect(seal.open("a", old)).toBeUndefined();
});

it("keeps its keys while a key file is being copied", () => {
  let files: Buffer[] = [former];
  const seal = createRenewedSeal(() => files, ids);
  const old = seal.close("a", "text");
  files = [Buffer.alloc(3)];
  expect(seal.open("a", seal.close("a", "more"))).toBe("more");
  expect(seal.open("b", old)).toBeUndefined();
  expect(seal.open("a", old)).toBe("text");
});
