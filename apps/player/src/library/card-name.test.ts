import { expect, it } from "vitest";
import { foldCardName, parseCardName } from "./card-name.ts";

it.each([
  ["Mahmoud Khalil Al-Husary", "Mahmoud Khalil Al-Husary"],
  ["  Husary \u00a0 Mujawwad ", "Husary Mujawwad"],
  ["محمود خليل الحصري", "محمود خليل الحصري"],
  ["Me\u0301decin", "M\u00e9decin"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["Console", "Console"],
  ["COM10", "COM10"],
  ["v1.2 live", "v1.2 live"],
])("keeps the name %j as %j", (given, name) => {
  expect(parseCardName("reciter", given)).toBe(name);
});

it.each([
  "",
  " ",
  ".",
  "..",
  ".hidden",
  "Husary.",
  "Husary. ",
  "a/b",
  "a\\b",
  "a:b",
  'say "hi"',
  "what?",
  "a*b",
  "<a>",
  "a|b",
  "nul",
  "CON",
  "con.mp3",
  "Aux.tar.gz",
  "com1",
  "LPT9.x",
  "com²",
  "two\nlines",
  "tab\there",
  "nul\u0000byte",
  "right\u202eleft",
  "zero\u200bwidth",
  "\ufeffmark",
  "broken\ud800",
  "unknown\ufffd",
  "ا".repeat(101),
])("refuses the name %j, and names the field", (given) => {
  expect(() => parseCardName("reciter", given)).toThrow(/^reciter: /);
});

it("treats two spellings as one name where a FAT card does", () => {
  expect(foldCardName("HUSARY")).toBe(foldCardName("Husary"));
  expect(foldCardName("Me\u0301decin")).toBe(foldCardName("M\u00c9DECIN"));
  expect(foldCardName("Husary")).not.toBe(foldCardName("Husari"));
});
