import { describe, expect, it } from "vitest";
import type { Condition, Field } from "./condition.ts";
import { FIELD_KINDS } from "./log-field.ts";
import { parseQuery } from "./query.ts";
import { queryCompletion } from "./query-completion.ts";

const NOW = new Date("2026-05-31T12:00:00.000Z");
const name = (of: keyof typeof FIELD_KINDS): Field => ({ name: of });
const text = (of: Field, wanted: string, isCased = false): Condition => ({
  kind: "text",
  field: of,
  pattern: wanted === "" ? [] : [{ text: wanted }],
  isCased,
});
const anywhere = (wanted: string): Condition => ({ kind: "anywhere", pattern: [{ text: wanted }], isCased: false });
const words = (...of: string[]): Condition => ({ kind: "words", words: of });
const and = (...of: Condition[]): Condition => ({ kind: "and", of });
const or = (...of: Condition[]): Condition => ({ kind: "or", of });
const not = (of: Condition): Condition => ({ kind: "not", of });
const at = (comparison: "ge" | "lt", instant: string): Condition => ({
  kind: "instant",
  field: name("timestamp"),
  comparison,
  value: Date.parse(instant),
});
const port = (comparison: "eq" | "lt" | "le" | "gt" | "ge", value: number): Condition => ({
  kind: "number",
  field: name("src_port"),
  comparison,
  value,
});
const any = { wildcard: "any" } as const;
const one = { wildcard: "one" } as const;

describe("log queries", () => {
  it.each<[string, Condition]>([
    ["", { kind: "all" }],
    ["  ", { kind: "all" }],
    ["*", { kind: "all" }],
    ["failed", words("failed")],
    ["FAILED root7", words("failed", "root7")],
    ["failed AND root7", words("failed", "root7")],
    ['"failed password"', and(words("failed", "password"), anywhere("failed password"))],
    ["user-agent", and(words("user", "agent"), anywhere("user-agent"))],
    ["-enc", and(words("enc"), anywhere("-enc"))],
    ["=>", anywhere("=>")],
    ["réseau", anywhere("réseau")],
    ["::1", and(words("1"), anywhere("::1"))],
    [
      "fail*d",
      {
        kind: "anywhere",
        pattern: [{ text: "fail" }, any, { text: "d" }],
        isCased: false,
      },
    ],
    [
      String.raw`"C:\Windows"`,
      and(words("c", "windows"), or(anywhere(String.raw`C:\Windows`), anywhere(String.raw`C:\\Windows`))),
    ],
    ["and or not to", words("and", "or", "not", "to")],
  ])("search the message and the raw event for %j", (query, condition) => {
    expect(parseQuery(query)).toEqual(condition);
  });

  it.each<[string, Condition]>([
    ["user:root", text(name("user"), "root")],
    ["user:Root", text(name("user"), "Root")],
    ['user:"a b"', text(name("user"), "a b")],
    ['user:"a*b"', text(name("user"), "a*b")],
    ['user:""', text(name("user"), "")],
    [
      "user:a*b?",
      { kind: "text", field: name("user"), pattern: [{ text: "a" }, any, { text: "b" }, one], isCased: false },
    ],
    [String.raw`user:a\*b`, text(name("user"), "a*b")],
    [String.raw`process:C:\Windows\cmd.exe`, text(name("process"), String.raw`C:\Windows\cmd.exe`)],
    [String.raw`process:\\\\server\share`, text(name("process"), String.raw`\\server\share`)],
    [String.raw`user:"say \"hi\""`, text(name("user"), 'say "hi"')],
    ["user:AND", text(name("user"), "AND")],
    ["user:*", { kind: "exists", field: name("user") }],
    ["NOT user:*", not({ kind: "exists", field: name("user") })],
    ["id:019680AA-0000-7000-8000-000000000001", text(name("id"), "019680aa-0000-7000-8000-000000000001", true)],
    ["message:failed", { kind: "words", words: ["failed"], isMessageOnly: true }],
    ["raw:fail", { kind: "text", field: name("raw"), pattern: [any, { text: "fail" }, any], isCased: false }],
    ["severity:HIGH", text(name("severity"), "high")],
    ["severity:>=high", or(text(name("severity"), "critical", true), text(name("severity"), "high", true))],
    ["severity:<low", text(name("severity"), "info", true)],
    ["severity:>critical", { kind: "none" }],
    ["event_code:4624", text(name("event_code"), "4624")],
    ["event_code:>=4624", { kind: "number", field: name("event_code"), comparison: "ge", value: 4624 }],
    ["attributes.process.name:cmd.exe", text({ attribute: ["process", "name"] }, "cmd.exe")],
    ["attributes.bytes:>1e6", { kind: "number", field: { attribute: ["bytes"] }, comparison: "gt", value: 1_000_000 }],
    [String.raw`attributes.my\ name\:x:1`, text({ attribute: ["my name:x"] }, "1")],
    ["attributes.elevated:true", text({ attribute: ["elevated"] }, "true")],
  ])("test a field for %j", (query, condition) => {
    expect(parseQuery(query)).toEqual(condition);
  });

  it.each<[string, Condition]>([
    ["src_port:443", port("eq", 443)],
    ["src_port:>443", port("gt", 443)],
    ["src_port:[1 TO 1023]", and(port("ge", 1), port("le", 1023))],
    ["src_port:{1 TO 1023}", and(port("gt", 1), port("lt", 1023))],
    ["src_port:[1 TO 1023}", and(port("ge", 1), port("lt", 1023))],
    ["src_port:[* TO 1023]", port("le", 1023)],
    ["src_port:[* TO *]", { kind: "exists", field: name("src_port") }],
    ["src_port:4*", { kind: "text", field: name("src_port"), pattern: [{ text: "4" }, any], isCased: false }],
    ["src_ip:10.0.0.7", text(name("src_ip"), "10.0.0.7", true)],
    ["src_ip:10.0.0.0/8", { kind: "network", field: name("src_ip"), address: "10.0.0.0", prefixBits: 8 }],
    ['src_ip:"10.0.0.7"', text(name("src_ip"), "10.0.0.7", true)],
    ['src_ip:"10.0.0.0/8"', { kind: "network", field: name("src_ip"), address: "10.0.0.0", prefixBits: 8 }],
    ['src_ip:""', text(name("src_ip"), "")],
    ["src_ip:::ffff:10.0.0.7", text(name("src_ip"), "10.0.0.7", true)],
    ...["src_ip:2001:db8::1", 'src_ip:"2001:db8::1"', "src_ip:2001:DB8:0:0:0:0:0:1"].map(
      (query): [string, Condition] => [
        query,
        or(
          text(name("src_ip"), "2001:db8::1"),
          text(name("src_ip"), "2001:db8:0:0:0:0:0:1"),
          text(name("src_ip"), "2001:0db8:0000:0000:0000:0000:0000:0001"),
        ),
      ],
    ),
    ["dst_ip:fe80::/10", { kind: "network", field: name("dst_ip"), address: "fe80::", prefixBits: 10 }],
    ["attributes.ip:10.0.0.0/8", { kind: "network", field: { attribute: ["ip"] }, address: "10.0.0.0", prefixBits: 8 }],
    ['attributes.ip:"10.0.0.0/8"', text({ attribute: ["ip"] }, "10.0.0.0/8")],
    ["timestamp:2026-05-31", and(at("ge", "2026-05-31T00:00:00Z"), at("lt", "2026-06-01T00:00:00Z"))],
    ["timestamp:2026-05-31T08:30", and(at("ge", "2026-05-31T08:30:00Z"), at("lt", "2026-05-31T08:31:00Z"))],
    ["timestamp:>2026-05-31", at("ge", "2026-06-01T00:00:00Z")],
    ["timestamp:<=2026-05-31", at("lt", "2026-06-01T00:00:00Z")],
    ["timestamp:<2026-05-31T08:00:00+02:00", at("lt", "2026-05-31T06:00:00Z")],
    ["timestamp:>=2026-05-31T08:00:00.123456Z", at("ge", "2026-05-31T08:00:00.123Z")],
    ["timestamp:>=now-1h", at("ge", "2026-05-31T11:00:00Z")],
    ["timestamp:[now-1d TO now}", and(at("ge", "2026-05-30T12:00:00Z"), at("lt", "2026-05-31T12:00:00Z"))],
  ])("compare values for %j", (query, condition) => {
    expect(parseQuery(query, { now: NOW })).toEqual(condition);
  });

  const [a, b, c] = [text(name("user"), "a"), text(name("user"), "b"), text(name("user"), "c")];
  it.each<[string, Condition]>([
    ["user:a OR user:b AND user:c", or(a, and(b, c))],
    ["user:a OR user:b user:c", or(a, and(b, c))],
    ["(user:a OR user:b) user:c", and(or(a, b), c)],
    ["user:(a OR b)", or(a, b)],
    ["user:(a OR NOT (b c))", or(a, not(and(b, c)))],
    ["NOT user:a user:b", and(not(a), b)],
    ["NOT NOT user:a", not(not(a))],
    ["NOT (user:a OR user:b)", not(or(a, b))],
    ["user:a AND (user:b AND user:c)", and(a, b, c)],
  ])("combine the terms of %j", (query, condition) => {
    expect(parseQuery(query)).toEqual(condition);
  });

  it("accepts queries up to their limits", () => {
    expect(() => parseQuery(`${"(".repeat(32)}a${")".repeat(32)}`)).not.toThrow();
    expect(() => parseQuery(Array.from({ length: 256 }, (_, at) => `w${at}`).join(" "))).not.toThrow();
    expect(() => parseQuery("a".repeat(4096))).not.toThrow();
  });
});

describe("query errors", () => {
  it.each([
    ["failed usr:root", "query: there is no field 'usr' (the closest is 'user'), at character 8"],
    ["Severity:high", "query: there is no field 'Severity' (the closest is 'severity'), at character 1"],
    ["http://x", "query: there is no field 'http' (a text with a colon needs quotes), at character 1"],
    ["😀 usr:root", "query: there is no field 'usr' (the closest is 'user'), at character 3"],
    ["us*r:root", "query: the name of a field cannot have wildcards, at character 1"],
    ["user:", "query: a value is missing, at character 6"],
    ["user: root", "query: a value is missing, at character 6"],
    ["user:)", "query: a value is missing, at character 6"],
    ["src_port:>=", "query: a value is missing, at character 12"],
    ["src_port:>= 5", "query: a value is missing, at character 12"],
    ["attributes.:x", "query: attributes: a name must not be empty, at character 1"],
    [
      "attributes.x\\:`Int64`:1",
      "query: attributes: a name must not have a backtick after a colon, a caret or an at sign, at character 1",
    ],
    ["a OR", "query: something to look for is missing at the end, at character 5"],
    ["OR a", "query: something to look for is missing, at character 1"],
    ["a AND OR b", "query: something to look for is missing, at character 7"],
    ["NOT", "query: something to look for is missing at the end, at character 4"],
    ["()", "query: something to look for is missing, at character 2"],
    ["(a", "query: a parenthesis is not closed, at character 1"],
    ["a)", "query: a closing parenthesis has no opening one, at character 2"],
    ["a && b", "query: '&&' is not an operator: write AND, OR or NOT, at character 3"],
    ['"a', "query: the quotes are not closed, at character 1"],
    ['"a"b', "query: a space is missing after the quotes, at character 4"],
    ['a"b"', "query: a space is missing before the quotes, at character 2"],
    ['""', "query: a text to look for must not be empty, at character 1"],
    ["user:(a host:b)", "query: a field is not allowed among the values of another field, at character 9"],
    ["severity:hihg", "query: severity must be one of critical, high, medium, low, info, not 'hihg', at character 10"],
    ["src_port:http", "query: src_port must be compared with a number from 0 to 65535, not 'http', at character 10"],
    ["src_port:65536", "query: src_port must be compared with a number from 0 to 65535, not '65536', at character 10"],
    ["src_port:[1 TO x]", "query: src_port must be compared with a number from 0 to 65535, not 'x', at character 16"],
    ["src_port:[1 2]", "query: a range must be written as [from TO to], at character 13"],
    ["src_port:[1 TO 2", "query: the range is not closed, at character 10"],
    ["src_port:[1* TO 2]", "query: a bound cannot have wildcards, at character 11"],
    ["user:>=b", "query: user must be compared with a number, not 'b', at character 8"],
    ["src_ip:>=10.0.0.1", "query: src_ip has no order, at character 10"],
    ["message:>=5", "query: message has no order, at character 11"],
    [
      "src_ip:10.0.0.0/33",
      "query: src_ip must be an address, a network such as 10.0.0.0/8 or a pattern, not '10.0.0.0/33', at character 8",
    ],
    ["timestamp:>=now-1h", "query: a time relative to now has no meaning here, at character 13"],
    [
      "timestamp:2026-02-30",
      "query: a time must be a day such as 2026-05-31, an instant such as 2026-05-31T08:00:00Z, or now-1h, at character 11",
    ],
  ])("name the position and the reason for %j", (query, why) => {
    expect(() => parseQuery(query)).toThrow(expect.objectContaining({ kind: "invalid", message: why }));
  });

  it.each([
    ["depth", `${"(".repeat(33)}a${")".repeat(33)}`, "query: it is nested more than 32 deep, at character 33"],
    ["negations", `${"NOT ".repeat(33)}a`, "query: it is nested more than 32 deep, at character 129"],
    ["terms", Array.from({ length: 257 }, () => "a").join(" "), "query: it has more than 256 terms, at character 513"],
    ["length", "a".repeat(4097), "query: it must have at most 4096 characters, at character 4097"],
  ])("name the position and the reason for too much %s", (_, query, why) => {
    expect(() => parseQuery(query)).toThrow(expect.objectContaining({ kind: "invalid", message: why }));
  });
});

describe("query completion", () => {
  it("offers every field, and only examples that are valid queries", () => {
    const { fields, operators } = queryCompletion();
    expect(fields.map((each) => each.name)).toEqual([...Object.keys(FIELD_KINDS), "attributes."]);
    const examples = [...fields.flatMap((each) => each.examples), ...operators.map((each) => each.example)];
    for (const example of examples) expect(() => parseQuery(example, { now: NOW }), example).not.toThrow();
  });

  it("offers exactly the operators that a field supports", () => {
    const value = {
      id: "1",
      text: "1",
      "long text": "1",
      instant: "2026-05-31",
      severity: "low",
      address: "1",
      port: "1",
      attribute: "1",
    };
    for (const { name: field, type, operators } of queryCompletion().fields) {
      const path = type === "attribute" ? `${field}x` : field;
      const isOrdered = operators.includes(":>=");
      const ask = () => parseQuery(`${path}:>=${value[type]}`);
      if (isOrdered) expect(ask).not.toThrow();
      else expect(ask).toThrow("has no order");
    }
  });
});
