import { expect, it } from "vitest";
import { compareLines } from "./line-difference.ts";

const SIGNS = { same: " ", added: "+", removed: "-" };
const compare = (before: string, after: string) =>
  compareLines(before.split("\n"), after.split("\n")).map(({ kind, text }) => `${SIGNS[kind]}${text}`);

it("keeps common lines and marks the others", () => {
  expect(compare("a\nb\nc", "a\nx\nc\nd")).toEqual([" a", "-b", "+x", " c", "+d"]);
});

it("marks nothing in equal texts and everything when one was empty", () => {
  expect(compare("a\nb", "a\nb")).toEqual([" a", " b"]);
  expect(compare("", "a")).toEqual(["-", "+a"]);
});

it("finds common lines after an insertion before them", () => {
  expect(compare("one\ntwo", "zero\none\ntwo")).toEqual(["+zero", " one", " two"]);
});

it("replaces only the middle of two long texts", () => {
  const long = (name: string) => ["head", ...Array.from({ length: 2100 }, (_, at) => `${name}${at}`), "tail"];
  const lines = compareLines(long("a"), long("b"));
  expect(lines.filter(({ kind }) => kind === "same").map(({ text }) => text)).toEqual(["head", "tail"]);
});
