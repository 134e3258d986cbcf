import { expect, it } from "vitest";
import { isConfirmed } from "./confirmation.ts";

it.each([
  ["Manara", "Manara", true],
  [" manara ", "Manara", true],
  ["Cafe\u0301", "Caf\u00e9", true],
  ["مجلس  الجد", "مجلس الجد", true],
  ["Manar", "Manara", false],
  ["", "Manara", false],
])("compares '%s' with the name '%s': %s", (typed, name, confirmed) => {
  expect(isConfirmed(typed, name)).toBe(confirmed);
});
