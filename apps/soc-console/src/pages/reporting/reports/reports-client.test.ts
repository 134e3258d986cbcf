import { expect, it } from "vitest";
import { fileName, type Report, readableText, toFile, withoutTitle } from "./reports-client.ts";

const REPORT: Report = {
  id: "r-1",
  title: "t",
  report_type: "investigation",
  case_id: null,
  format: "pdf",
  status: "completed",
  created_by: "a",
  created_at: "2026-11-18T00:00:00Z",
  content_type: "application/pdf",
  content: btoa("%PDF-1.7"),
};

it("creates a file from a report and decodes a PDF", async () => {
  const file = toFile(REPORT);
  expect([file.name, file.content.type, await file.content.text()]).toEqual([
    "report-r-1.pdf",
    "application/pdf",
    "%PDF-1.7",
  ]);
  expect(fileName({ id: "r-2", format: "markdown" })).toBe("report-r-2.md");
});

it("removes only the ledger bundle from the text", () => {
  const bundle = '```json\n{"format":"manara-soc-ledger-1",\n"entries":[]}\n```';
  const other = '```json\n{"a":1}\n```';
  expect(readableText(`# T\n\n${other}\n\n${bundle}\n\nend`)).toBe(`# T\n\n${other}\n\n\n\nend`);
});

it("removes the title once, and only at the beginning", () => {
  expect(withoutTitle("# T\n\nfirst\n\n# T\n")).toBe("first\n\n# T\n");
  expect(withoutTitle("first\n# T\n")).toBe("first\n# T\n");
});
