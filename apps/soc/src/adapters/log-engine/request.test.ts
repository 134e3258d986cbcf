import { expect, it } from "vitest";
import { parseEngineRequest } from "./request.ts";

const ask = (entries: Record<string, string>, statement: string) =>
  parseEngineRequest(new URLSearchParams(entries), statement, { tag: "tag-1", memoryBytes: 1000 });

// Left: the value as the client writes it (its format_query_params.js). Right: the value that the caller passed.
it.each([
  ["it\\'s", "it's"],
  ["a\\nb\\tc\\rd", "a\nb\tc\rd"],
  ["C:\\\\new", "C:\\new"],
  ["\\\\N", "\\N"],
  ["\\N", null],
  ["", ""],
])("undoes the client's escaping of %j", (written, meant) => {
  const asked = ask({ param_text: written }, "SELECT {text:String}");
  expect(asked).toMatchObject({ kind: "select", parameters: { text: meant } });
});

it.each([
  ["['it\\'s','a,b','','[x]']", ["it's", "a,b", "", "[x]"]],
  ["['C:\\\\\\\\new']", ["C:\\\\new"]],
  ["[]", []],
  ["[1,-2]", [1n, -2n]],
  ["[1.5,TRUE,NULL]", [1.5, true, null]],
])("parses the list %s", (written, meant) => {
  const asked = ask({ param_list: written }, "SELECT { list : Array(String) }");
  expect(asked).toMatchObject({ kind: "select", parameters: { list: meant } });
});

it("does not change a text that only looks like a list", () => {
  const asked = ask({ param_text: "[1,2]" }, "SELECT {text:String}");
  expect(asked).toMatchObject({ parameters: { text: "[1,2]" } });
});

it("turns settings into a quoted clause of this query only and makes it read-only", () => {
  const asked = ask(
    { max_execution_time: "5", insert_deduplication_token: "a'b\\", query_id: "x" },
    "SELECT 1\nFORMAT CSV",
  );
  expect(asked).toEqual({
    kind: "select",
    sql: "SELECT 1\n\nFORMAT CSV\nSETTINGS max_execution_time='5', insert_deduplication_token='a\\'b\\\\', max_memory_usage='1000', max_bytes_before_external_sort='500', max_bytes_before_external_group_by='500', log_comment='tag-1', readonly='1'",
    format: "CSV",
    parameters: {},
  });
});

it.each([
  ["10000", "1000"],
  ["0", "1000"],
  ["everything", "1000"],
  ["400", "400"],
])("limits a request for %s bytes of memory to %s", (asked, given) => {
  const clause = expect.stringContaining(`max_memory_usage='${given}'`);
  expect(ask({ max_memory_usage: asked }, "SELECT 1")).toMatchObject({ sql: clause });
});

it("does not let a request remove the read-only clause", () => {
  const asked = ask({ readonly: "0", log_comment: "mine" }, "SELECT 1");
  expect(asked).toMatchObject({ sql: expect.stringMatching(/readonly='1'/) });
  expect(asked).toMatchObject({ sql: expect.not.stringMatching(/readonly='0'|mine/) });
});

it("parses the table, columns, format and settings of an insert", () => {
  const asked = ask({ insert_deduplication_token: "t" }, 'INSERT INTO logs (id, "user") FORMAT JSONEachRow');
  const insert = {
    table: "logs",
    columns: ["id", "user"],
    format: "JSONEachRow",
    settings: { insert_deduplication_token: "t" },
  };
  expect(asked).toEqual({ kind: "insert", insert });
});

it.each([
  [{}, "SELECT 1 FORMAT JSON", /^Code: 73\. /],
  [{}, "SELECT 1 INTO OUTFILE '/tmp/x'", /^Code: 36\. /],
  [{ "max'; DROP": "1" }, "SELECT 1", /^Code: 115\. /],
  [{ session_id: "s" }, "SELECT 1", /^Code: 36\. /],
  [{ "param_a.*": "1" }, "SELECT 1", /^Code: 36\. /],
  [{ param_a: "[['x']]" }, "SELECT {a:Array(Array(String))}", /^Code: 457\. /],
  [{ max_execution_time: "1" }, "DROP TABLE logs", /^Code: 36\. /],
  [{ param_a: "1" }, "CREATE TABLE x (a Int8) ENGINE = Memory", /^Code: 36\. /],
])("refuses %j with %s", (entries, statement, why) => {
  expect(() => ask(entries, statement)).toThrow(why);
});
