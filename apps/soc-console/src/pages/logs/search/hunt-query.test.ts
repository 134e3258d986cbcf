import { checkQuery } from "@kit/query/query-check";
import { describe, expect, it } from "vitest";
import {
  addToHistory,
  existsTerm,
  findProcess,
  formatColumns,
  formatTerm,
  listValues,
  narrowQuery,
  parseColumns,
  parseHistory,
  quoteValue,
  readColumn,
  selectNeighbours,
  toggleColumn,
  writeHuntQuery,
} from "./hunt-query.ts";
import type { Log } from "./search-client.ts";

function makeLog(change: Partial<Log> = {}): Log {
  return {
    id: "019680aa-0000-7000-8000-000000000001",
    timestamp: "2026-11-17T19:36:20.114Z",
    ingested_at: "2026-11-17T19:36:21Z",
    site: null,
    source: "winlog",
    host: "fin-ws-014",
    severity: "high",
    event_code: "4688",
    action: null,
    outcome: null,
    user: "m.haddad",
    src_ip: null,
    dst_ip: null,
    src_port: null,
    dst_port: null,
    process: "powershell.exe",
    message: "powershell.exe -nop",
    raw: "{}",
    attributes: {},
    timestamp_origin: "event",
    ...change,
  };
}

const HOSTILE = [
  `"><img src=x onerror=alert(1)>`,
  "=cmd()",
  "invoice\u202efdp.exe",
  String.raw`C:\Windows\System32`,
  "AND",
  "two words",
  "a:b",
  "*",
  "[1 TO 2]",
  "2001:db8::1",
  "ends with \\",
];

describe("a value in a query", () => {
  it.each(HOSTILE)("quotes %j into one term that the language accepts", (value) => {
    expect(checkQuery(formatTerm("host", value), { now: new Date(0) })).toEqual([]);
    expect(checkQuery(narrowQuery("failed", formatTerm("attributes.x", value), true), { now: new Date(0) })).toEqual(
      [],
    );
  });

  it("quotes a value only if it is not a plain word", () => {
    expect(["fin-ws-014", "m.haddad", "a b", 'say "x"', "OR"].map(quoteValue)).toEqual([
      "fin-ws-014",
      "m.haddad",
      '"a b"',
      String.raw`"say \"x\""`,
      '"OR"',
    ]);
  });
});

describe("narrowing a query", () => {
  it.each([
    ["", false, "host:a"],
    ["", true, "NOT host:a"],
    ["failed", false, "failed host:a"],
    ["host:a", true, "NOT host:a"],
    ["NOT host:a failed", false, "failed host:a"],
    ["host:a failed", false, "failed host:a"],
    ['user:"host:a b" failed', true, 'user:"host:a b" failed NOT host:a'],
    ["user:x OR user:y", false, "(user:x OR user:y) host:a"],
    ['user:"x OR y"', false, 'user:"x OR y" host:a'],
    ["x AND host:a", true, "x AND host:a NOT host:a"],
    ["(x host:a)", false, "(x host:a) host:a"],
  ])("narrows %j, excluded %s, to %j", (query, isExcluded, wanted) => {
    expect(narrowQuery(query, "host:a", isExcluded)).toBe(wanted);
  });

  it("matches any value of a field", () => {
    expect(existsTerm("attributes.client ip")).toBe(String.raw`attributes.client\ ip:*`);
  });
});

describe("the fields of a log", () => {
  const attributes = {
    process: { pid: 12, "parent.name": "winword.exe" },
    tags: ["a", null, "b"],
    empty: null,
    ok: true,
  };

  it("lists fields with a value, attributes by path, lists by item", () => {
    const listed = listValues(makeLog({ attributes }));
    expect(listed.find(({ field }) => field === "host")?.values).toEqual(["fin-ws-014"]);
    expect(listed.some(({ field }) => field === "src_ip")).toBe(false);
    expect(listed.slice(-4)).toEqual([
      { field: "attributes.process.pid", values: ["12"] },
      { field: "attributes.process.parent.name", values: ["winword.exe"] },
      { field: "attributes.tags", values: ["a", "b"] },
      { field: "attributes.ok", values: ["true"] },
    ]);
  });

  it("shows any field as a column, even if its name contains dots", () => {
    const log = makeLog({ attributes });
    const columns = [
      "host",
      "attributes.process.pid",
      "attributes.process.parent.name",
      "attributes.tags",
      "attributes.no",
      "site",
    ];
    expect(columns.map((column) => readColumn(log, column))).toEqual([
      "fin-ws-014",
      "12",
      "winword.exe",
      "a, b",
      "",
      "",
    ]);
  });

  it("identifies the process by its guid, else by its number", () => {
    expect(findProcess(makeLog({ attributes: { EventData: { ProcessGuid: "{a}", ProcessId: "7" } } }))).toEqual({
      guid: "{a}",
    });
    expect(findProcess(makeLog({ attributes: { ProcessId: "0x1f4" } }))).toEqual({ pid: "0x1f4" });
    expect(findProcess(makeLog({ attributes: { pid: "seven" } }))).toEqual({});
  });
});

describe("columns in the address", () => {
  it("defaults to host and message, which the address then omits", () => {
    expect(parseColumns(undefined)).toEqual(["host", "message"]);
    expect(formatColumns(["host", "message"])).toBeUndefined();
    expect(parseColumns("user,,user,message")).toEqual(["user", "message"]);
  });

  it("inserts a new column before the message", () => {
    expect(toggleColumn(["host", "message"], "user")).toEqual(["host", "user", "message"]);
    expect(toggleColumn(["host", "user", "message"], "host")).toEqual(["user", "message"]);
  });
});

describe("the history", () => {
  it("keeps at most 50 entries, newest first, without duplicates", () => {
    expect(addToHistory(["a", "b"], "b")).toEqual(["b", "a"]);
    expect(addToHistory(["a"], "  ")).toEqual(["a"]);
    const many = Array.from({ length: 50 }, (_, at) => `q${at}`);
    expect(addToHistory(many, "new")).toHaveLength(50);
  });

  it("starts empty when the storage holds something else", () => {
    expect([parseHistory(undefined), parseHistory("{"), parseHistory('{"a":1}'), parseHistory('["a",1]')]).toEqual([
      [],
      [],
      [],
      ["a"],
    ]);
  });
});

it("combines a saved hunt and its filters into one query", () => {
  const hunt = { query: "a OR b", source: "winlog", host: null, severity: "high" };
  expect(writeHuntQuery(hunt)).toBe("((a OR b) source:winlog) severity:high");
});

it("finds logs within 30 seconds, and reports that there may be more when the response is full", () => {
  const at = (second: string) => makeLog({ timestamp: `2026-11-17T19:36:${second}Z` });
  const around = { log: at("31.000"), before: [at("00.999"), at("01.000")], after: [at("59.000")] };
  expect(selectNeighbours(around, 2)).toEqual({ before: [at("01.000")], after: [at("59.000")], isCut: false });
  expect(selectNeighbours(around, 1).isCut).toBe(true);
});
