import { expect, it } from "vitest";
import { formatCsv } from "./csv.ts";

it("quotes fields as RFC 4180 requires", () => {
  expect(
    formatCsv([
      ["id", "name"],
      ["a", 'He said "no", twice\nso'],
      ["b", 3],
    ]),
  ).toBe('id,name\r\na,"He said ""no"", twice\nso"\r\nb,3\r\n');
});

it("prevents text from becoming a formula", () => {
  const texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("x")'];
  expect(formatCsv(texts.map((text) => [text]))).toBe(
    `'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\n"'=HYPERLINK(""x"")"\r\n`,
  );
  expect(formatCsv([[-5]])).toBe("-5\r\n");
});
