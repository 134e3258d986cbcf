import { expect, it } from "vitest";
import { listTerms, markTerms } from "./alert-terms.ts";

it("finds what a rule looks for, without fields, operators and wildcards", () => {
  expect(listTerms('process:powershell* AND (message:"-enc" OR NOT user:svc-*)')).toEqual([
    "powershell",
    "-enc",
    "svc-",
  ]);
  expect(listTerms('message:"not closed')).toEqual([]);
});

it("marks each occurrence in any case, and takes signs as they are", () => {
  expect(markTerms("PowerShell.exe -ENC a", ["powershell", "-enc"])).toEqual([
    { text: "PowerShell", isMarked: true },
    { text: ".exe ", isMarked: false },
    { text: "-ENC", isMarked: true },
    { text: " a", isMarked: false },
  ]);
  expect(markTerms("a.b aXb", ["a.b"])).toEqual([
    { text: "a.b", isMarked: true },
    { text: " aXb", isMarked: false },
  ]);
});
