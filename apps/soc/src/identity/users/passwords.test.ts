import { expect, it } from "vitest";
import { ARGON2_PASSWORDS, DUMMY_HASH } from "./passwords.ts";

it("verifies a password by its hash, which differs each time", async () => {
  const hash = await ARGON2_PASSWORDS.hash("correct horse battery");
  expect(await ARGON2_PASSWORDS.isRight(hash, "correct horse battery")).toBe(true);
  expect(await ARGON2_PASSWORDS.isRight(hash, "correct horse batterx")).toBe(false);
  expect(await ARGON2_PASSWORDS.hash("correct horse battery")).not.toBe(hash);
});

it("spends the same time on the dummy hash as on a real one", async () => {
  const costOf = (hash: string) => hash.split("$").slice(1, 4);
  expect(costOf(DUMMY_HASH)).toEqual(costOf(await ARGON2_PASSWORDS.hash("any")));
  expect(await ARGON2_PASSWORDS.isRight(DUMMY_HASH, "any")).toBe(false);
});
