import { expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { CSV_HEAD, formatCsvLine } from "./log-csv.ts";

const PLAIN = "i,2026-11-15T09:00:00.000Z,2026-11-15T09:00:01.000Z,,test,,info,,,,,,,,,";

it("names the columns and ends each line as RFC 4180 requires", () => {
  expect(CSV_HEAD).toBe(
    "id,timestamp,ingested_at,site,source,host,severity,event_code,action,outcome,user,src_ip,dst_ip,src_port,dst_port,process,message,raw,attributes,timestamp_origin\r\n",
  );
  expect(formatCsvLine(sampleLog({ id: "i" }))).toBe(`${PLAIN},,,{},event\r\n`);
});

it.each([
  ["two words", "two words"],
  ["one, two", '"one, two"'],
  ['say "no"', '"say ""no"""'],
  ["line\nbreak", '"line\nbreak"'],
  ["carriage\rreturn", '"carriage\rreturn"'],
  ["=1+1", "'=1+1"],
  ["+49", "'+49"],
  ["-x", "'-x"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ['=HYPERLINK("a","b")', `"'=HYPERLINK(""a"",""b"")"`],
  ["a=1", "a=1"],
])("writes the message %j as %j", (message, cell) => {
  expect(formatCsvLine(sampleLog({ id: "i", message }))).toBe(`${PLAIN},${cell},,{},event\r\n`);
});

it("writes the attributes as JSON", () => {
  const line = formatCsvLine(sampleLog({ id: "i", attributes: { a: ["x", 1] } }));
  expect(line).toBe(`${PLAIN},,,"{""a"":[""x"",1]}",event\r\n`);
});
