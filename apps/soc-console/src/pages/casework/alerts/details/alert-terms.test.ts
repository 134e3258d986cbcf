import { expect, it } from "vitest";
import { listTerms, markTerms } from "./alert-terms.ts";

it("extracts search terms without fields, operators and wildcards", () => {
  expect(listTerms('process:powershell* AND (message:"-enc" OR NOT user:svc-*)')).toEqual([
    "powershell",
    "-enc",
    "svc-",
  ]);
  expect(listTerms('message:"not closed')).toEqual([]);
});

it("highlights every occurrence in any case, and takes special characters literally", () => {
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
