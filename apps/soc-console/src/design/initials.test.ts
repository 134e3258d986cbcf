import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test("shows two letters of a name in the avatar for every spelling", () => {
  expect(
    ["Layla Aziz", "layla.aziz", "layla", "m_haddad", "yara-k@example.test", "ليلى عزيز", "x", ""].map(initials),
  ).toEqual(["LA", "LA", "LA", "MH", "YK", "لع", "X", ""]);
});
