import { expect, it } from "vitest";
import { folderOf } from "./folder.ts";

it.each([
  ["Lectures/2026/Friday.mp3", "Lectures/2026"],
  ["Lectures/2026", "Lectures"],
  ["Friday.mp3", ""],
  ["", ""],
])("determines the folder of %s: '%s'", (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});
