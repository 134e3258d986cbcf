import { expect, it } from "vitest";
import { escapeInvisible } from "./visible.ts";

it.each([
  ["\u001b[31mred\u001b[0m\r", "\\u001b[31mred\\u001b[0m\\u000d"],
  ["invoice\u202egnp.exe", "invoice\\u202egnp.exe"],
  ["\u009b2J\u007f\u2066x\u2069\u2028", "\\u009b2J\\u007f\\u2066x\\u2069\\u2028"],
  ["two\nlines\tand سورة 🔥", "two\nlines\tand سورة 🔥"],
])("escapes what changes a terminal or the direction of a text in %j", (text, escaped) => {
  expect(escapeInvisible(text)).toBe(escaped);
  // The escape is that of JSON.
  expect(JSON.parse(escapeInvisible(JSON.stringify(text)))).toBe(text);
});
