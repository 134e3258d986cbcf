import { expect, it } from "vitest";
import { parseOptions } from "./options.ts";

const parse = (...words: string[]) => parseOptions(words, (file) => `/root/${file}`);

it.each([
  [["agents"], { names: ["agents"], env: {} }],
  [["agents", "--situations", "x.json"], { names: ["agents"], env: { PROVE_SITUATIONS: "/root/x.json" } }],
  [["--situations=a=b.json", "agents"], { names: ["agents"], env: { PROVE_SITUATIONS: "/root/a=b.json" } }],
])("reads %j", (words, asked) => {
  expect(parse(...words)).toEqual(asked);
});

it.each([
  [["agents", "--situations"], "--situations: needs a file"],
  [["--situations", "--other"], "--situations: needs a file"],
  [["--constructor", "x"], "unknown option: --constructor"],
])("refuses %j", (words, why) => {
  expect(parse(...words)).toBe(why);
});
