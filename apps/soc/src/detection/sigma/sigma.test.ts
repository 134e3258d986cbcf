import { describe, expect, it } from "vitest";
import { toLog } from "../../logs/normalise/normalise.ts";
import { toPredicate } from "../../logs/query/predicate.ts";
import { readSigmaDocuments } from "../imports/sigma-import.ts";
import { readSigma } from "./sigma.ts";

const SYSMON = { Channel: "Microsoft-Windows-Sysmon/Operational", EventID: 1, Computer: "WS1" };

function ruleText(detection: string, head = ""): string {
  return [
    "title: A rule",
    "logsource: { product: windows, category: process_creation }",
    head,
    "detection:",
    ...detection.split("\n").map((line) => `  ${line}`),
  ].join("\n");
}

function isMet(yamlText: string, fields: Record<string, unknown>): boolean {
  const reading = readSigma(yamlText);
  if (reading.state === "refused") throw new Error(reading.reasons.join("; "));
  const event = { ...SYSMON, ...fields };
  const arrival = { id: "1", site: "", ingested_at: "2026-05-01T08:00:00.000Z", raw: JSON.stringify(event) };
  return toPredicate(reading.rule.condition)(toLog(event, arrival));
}

function isSelected(selection: string, fields: Record<string, unknown>): boolean {
  return isMet(ruleText(`s:\n  ${selection}\ncondition: s`), fields);
}

/** The Sigma specification 2.1, "Detection", "Value modifiers" and "Wildcards". */
describe("a value of a selection", () => {
  it.each([
    ["Image: 'C:\\a.exe'", { Image: "c:\\A.EXE" }, true],
    ["Image: 'C:\\a.exe'", { Image: "C:\\a.exe " }, false],
    ["Image: '*\\a?.exe'", { Image: "C:\\ab.exe" }, true],
    ["Image: '*\\a?.exe'", { Image: "C:\\a.exe" }, false],
    ["CommandLine: 'a\\*b'", { CommandLine: "a*b" }, true],
    ["CommandLine: 'a\\*b'", { CommandLine: "axb" }, false],
    ["CommandLine: 'a\\\\*'", { CommandLine: "a\\xyz" }, true],
    ["CommandLine: 'a\\\\*'", { CommandLine: "a*" }, false],
    ["CommandLine|contains: ['one', 'two']", { CommandLine: "is TWO." }, true],
    ["CommandLine|contains|all: ['one', 'two']", { CommandLine: "is TWO." }, false],
    ["CommandLine|contains|all: ['one', 'two']", { CommandLine: "two one" }, true],
    ["Image|startswith: 'C:\\'", { Image: "c:\\x" }, true],
    ["Image|endswith: '\\x'", { Image: "c:\\x" }, true],
    ["Image|endswith: '\\x'", { Image: "c:\\xy" }, false],
    ["CommandLine|contains|cased: 'Enc'", { CommandLine: "-enc" }, false],
    ["CommandLine|contains|cased: 'Enc'", { CommandLine: "-Enc" }, true],
    ["CommandLine|re: '\\s-[FTd]\\s'", { CommandLine: "x -F y" }, true],
    ["CommandLine|re: '\\s-[FTd]\\s'", { CommandLine: "x -f y" }, false],
    ["CommandLine|re|i: '\\s-[FTd]\\s'", { CommandLine: "x -f y" }, true],
    ["CommandLine|re: '(?i)\\s-[FTd]\\s'", { CommandLine: "x -f y" }, true],
    ["DestinationIp|cidr: ['10.0.0.0/8', 'fe80::/10']", { DestinationIp: "10.200.0.1" }, true],
    ["DestinationIp|cidr: ['10.0.0.0/8', 'fe80::/10']", { DestinationIp: "fe80::1" }, true],
    ["DestinationIp|cidr: ['10.0.0.0/8', 'fe80::/10']", { DestinationIp: "11.0.0.1" }, false],
    ["Size|gte: 10", { Size: "10" }, true],
    ["Size|gt: 10", { Size: 10 }, false],
    ["Size|lt: 10", { Size: 9.5 }, true],
    ["Size|lte: 10", { Size: 11 }, false],
    ["User|exists: true", { User: "x" }, true],
    ["User|exists: false", { User: "x" }, false],
    ["User|exists: false", {}, true],
    ["User: null", {}, true],
    ["User: null", { User: "x" }, false],
    ["User: ''", { User: "" }, true],
    ["User: [null, 'x']", { User: "X" }, true],
    ["Image|fieldref: ParentImage", { Image: "C:\\a", ParentImage: "c:\\A" }, true],
    ["Image|fieldref: ParentImage", { Image: "C:\\a", ParentImage: "C:\\b" }, false],
    ["Image|fieldref|startswith: Folder", { Image: "C:\\a", Folder: "C:\\" }, true],
    ["CommandLine|windash|contains: ' -a'", { CommandLine: "x /a" }, true],
    ["CommandLine|contains|windash: ' -a'", { CommandLine: "x \u2013a" }, true],
    ["CommandLine|contains|windash: ' -a'", { CommandLine: "x +a" }, false],
    // "foobar" in base64, alone and after one and two additional characters: Zm9vYmFy, Ezb29iYXI, IYmZvb2Jhcg.
    ["CommandLine|base64|contains: 'foobar'", { CommandLine: "x Zm9vYmFy" }, true],
    ["CommandLine|base64offset|contains: 'foobar'", { CommandLine: Buffer.from("afoobarz").toString("base64") }, true],
    ["CommandLine|base64offset|contains: 'foobar'", { CommandLine: Buffer.from("abfoobar").toString("base64") }, true],
    ["CommandLine|base64offset|contains: 'foobar'", { CommandLine: Buffer.from("abfooba").toString("base64") }, false],
    [
      "CommandLine|wide|base64offset|contains: 'foobar'",
      { CommandLine: Buffer.from("xfoobar", "utf16le").toString("base64") },
      true,
    ],
    [
      "CommandLine|utf16|base64|contains: 'foo'",
      { CommandLine: Buffer.from("\ufefffoo", "utf16le").toString("base64") },
      true,
    ],
    ["CommandLine|utf16be|contains: 'hi'", { CommandLine: "\0h\0i" }, true],
    ["EventID: 1", {}, true],
    ["EventID: 2", {}, false],
    ["Computer: 'ws1'", {}, true],
    ["Number: 18446744073709551615", { Number: "18446744073709551615" }, true],
    ["Data|contains: two", { Data: ["one", "one two"] }, true],
    ["a.b: x", { a: { b: "X" } }, true],
  ])("evaluates %s on %j to %j", (selection, fields, expected) => {
    expect(isSelected(selection, fields)).toBe(expected);
  });
});

describe("a detection", () => {
  const selections = "sel_a: { A: x }\nsel_b: { B: x }\nfilter: { C: x }\n_hidden: { D: x }";
  it.each([
    ["sel_a and sel_b", "A", false],
    ["sel_a and sel_b", "AB", true],
    ["1 of sel_*", "B", true],
    ["any of sel*", "B", true],
    ["all of sel_*", "B", false],
    ["all of sel_*", "AB", true],
    ["1 of them", "C", true],
    ["1 of them", "D", false],
    ["all of them", "ABC", true],
    ["sel_a or sel_b and filter", "A", true],
    ["(sel_a or sel_b) and filter", "A", false],
    ["sel_a and not filter", "AC", false],
    ["not filter and not sel_b", "A", true],
    ["sel_a AND NOT (filter OR sel_b)", "A", true],
    ["['sel_a and sel_b', filter]", "C", true],
  ])("evaluates the condition %s on the selections %s to %j", (condition, names, expected) => {
    const fields = Object.fromEntries(names.split("").map((name) => [name, "x"]));
    expect(isMet(ruleText(`${selections}\ncondition: ${condition}`), fields)).toBe(expected);
  });

  it("treats a list of maps as alternatives and requires all fields of a map", () => {
    const text = ruleText("s:\n  - A: x\n    B: y\n  - C: z\ncondition: s");
    expect([isMet(text, { A: "x" }), isMet(text, { A: "x", B: "y" }), isMet(text, { C: "z" })]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("searches keywords anywhere in the event, including escaped JSON", () => {
    const one = ruleText("keywords: ['two words', 'C:\\Temp\\']\ncondition: keywords");
    expect(isMet(one, { Message: "has Two Words in it" })).toBe(true);
    expect(isMet(one, { Other: "C:\\temp\\x" })).toBe(true);
    expect(isMet(one, { Other: "nothing" })).toBe(false);
    const all = ruleText("keywords:\n  '|all': ['one', 'two']\ncondition: keywords");
    expect([isMet(all, { A: "one", B: "two" }), isMet(all, { A: "one" })]).toEqual([true, false]);
  });

  it("matches only events of the rule's log source", () => {
    const text = ruleText("s: { Image: x }\ncondition: s");
    expect(isMet(text, { Image: "x" })).toBe(true);
    expect(isMet(text, { Image: "x", EventID: 7 })).toBe(false);
    expect(isMet(text, { NewProcessName: "x", Channel: "Security", EventID: 4688 })).toBe(true);
    expect(isMet(text, { NewProcessName: "x", Channel: "Application", EventID: 4688 })).toBe(false);
  });
});

describe("the metadata of a rule", () => {
  it("includes author, licence, severity and techniques", () => {
    const head = [
      "id: 36803969-5421-41ec-b92f-8500f79c23b0",
      "author: Sample Author",
      "license: DRL-1.1",
      "level: informational",
      "tags: [attack.t1059.001, attack.T1003, attack.credential_access, attack.g0016, cve.2021-44228, attack.execution]",
      "falsepositives: [Administrators]",
      "references: ['https://example.org/']",
    ].join("\n");
    const reading = readSigma(ruleText("s: { A: x }\ncondition: s", head));
    expect(reading).toMatchObject({
      state: "read",
      rule: {
        id: "36803969-5421-41ec-b92f-8500f79c23b0",
        title: "A rule",
        author: "Sample Author",
        license: "DRL-1.1",
        severity: "info",
        mitre_techniques: ["T1059.001", "T1003"],
        mitre_tactics: ["credential-access", "execution"],
        falsepositives: ["Administrators"],
        references: ["https://example.org/"],
        logsource: { product: "windows", category: "process_creation" },
      },
    });
  });
});

describe("unsupported input", () => {
  it.each([
    ["s: { A|expand: '%x%' }\ncondition: s", /^detection\.s\.A\|expand: .*placeholders/],
    ["s: { A|lolcats: x }\ncondition: s", /^detection\.s\.A\|lolcats: modifier 'lolcats' is not supported$/],
    ["s: { A|contains|startswith: x }\ncondition: s", /^detection\.s\.A\|contains\|startswith: modifier 'startswith'/],
    ["s: { A|re|contains: x }\ncondition: s", /modifier 'contains' has no meaning/],
    ["s: { A|i: x }\ncondition: s", /modifier 'i' has no meaning/],
    ["s: { A|re: '(' }\ncondition: s", /^detection\.s\.A\|re: regex: /],
    ["s: { A|re: '(?=x)y' }\ncondition: s", /look-around is not supported/],
    ["s: { A|cidr: '10.0.0.0/33' }\ncondition: s", /^detection\.s\.A\|cidr: is not a network/],
    ["s: { A|gt: many }\ncondition: s", /^detection\.s\.A\|gt: must be a number/],
    ["s: { A|exists: maybe }\ncondition: s", /^detection\.s\.A\|exists: must be true or false$/],
    ["s: { A|base64: 'a*' }\ncondition: s", /^detection\.s\.A\|base64: wildcards cannot be encoded/],
    ["s: { A|windash: ' -a -b -c -d' }\ncondition: s", /^detection\.s\.A\|windash: has too many dashes/],
    ["s: { A: { B: x } }\ncondition: s", /^detection\.s\.A: a value must be a text/],
    ["s: { A: [] }\ncondition: s", /^detection\.s\.A: must not be an empty list$/],
    ["s: {}\ncondition: s", /^detection\.s: must not be empty$/],
    [
      "s: { A: x }\ncondition: s | count() > 5",
      /^detection\.condition: '\| count\(\) > 5': aggregations are not supported$/,
    ],
    ["s: { A: x }\ntimeframe: 5m\ncondition: s", /^detection\.timeframe: /],
    ["s: { A: x }\ncondition: t", /^detection\.condition: 't' is not a selection of this rule$/],
    [
      "s: { A: x }\ncondition: s and",
      /^detection\.condition: expected the name of a selection but the condition ends$/,
    ],
    ["s: { A: x }\ncondition: (s", /^detection\.condition: a parenthesis is not closed$/],
    ["s: { A: x }\ncondition: s s", /^detection\.condition: expected and, or, or the end but found 's'$/],
    ["s: { A: x }\ncondition: 2 of s*", /^detection\.condition: '2 of' is not supported/],
    ["s: { A: x }\ncondition: 1 of x*", /^detection\.condition: '1 of x\*' names no selection/],
    [
      `s: { A: x }\ncondition: ${"(".repeat(60)}s${")".repeat(60)}`,
      /^detection\.condition: is nested more than 50 deep$/,
    ],
    ["s: { A: x }", /^detection\.condition: must be a text$/],
  ])("refuses unsupported input: %j", (detection, why) => {
    expect(readSigma(ruleText(detection))).toEqual({ state: "refused", reasons: [expect.stringMatching(why)] });
  });

  it.each([
    [
      "title: x\nlogsource: { product: atari }\ndetection: { s: { A: x }, condition: s }",
      /^logsource: product 'atari' is not a known source$/,
    ],
    [
      "title: x\nlogsource: { product: windows, service: nope }\ndetection: { s: { A: x }, condition: s }",
      /^logsource: product 'windows', service 'nope'/,
    ],
    [
      "title: x\nlogsource: { colour: red }\ndetection: { s: { A: x }, condition: s }",
      /^logsource\.colour: is not supported$/,
    ],
    ["title: x\ndetection: { s: { A: x }, condition: s }", /^logsource: must name/],
    ["logsource: { product: windows }\ndetection: { s: { A: x }, condition: s }", /^title: must not be empty$/],
    [
      "title: x\nlevel: hot\nlogsource: { product: windows }\ndetection: { s: { A: x }, condition: s }",
      /^level: must be one of critical, high/,
    ],
    [
      "title: x\nlevel: constructor\nlogsource: { product: windows }\ndetection: { s: { A: x }, condition: s }",
      /^level: must be one of critical, high/,
    ],
    [
      "title: x\nlogsource: { product: windows, service: constructor }\ndetection: { s: { A: x }, condition: s }",
      /^logsource: product 'windows', service 'constructor'/,
    ],
    [
      "title: x\nlogsource: { category: constructor }\ndetection: { s: { A: x }, condition: s }",
      /^logsource: category 'constructor'/,
    ],
    ["title: x\nlogsource: { product: windows }", /^detection: must have/],
    ["title: x\ncorrelation: { type: event_count }", /^correlation\.rules: must be/],
    ["title: x\nfilter: { rules: any }", /^filter: filters are not supported/],
    ["title: x\naction: global", /^action: rule collections/],
    ["title: x\n---\ntitle: y", /^yaml: must be one rule, or one correlation/],
    ["title: [", /^yaml: /],
    ["just text", /^yaml: must be a rule/],
    ["a: *unknown", /^yaml: /],
  ])("refuses unsupported input: %j", (text, why) => {
    expect(readSigma(text)).toEqual({ state: "refused", reasons: [expect.stringMatching(why)] });
  });

  it("refuses a rule that is too long", () => {
    const reasons = ["yaml: must be at most 1048576 characters"];
    expect(readSigma("x".repeat(1_048_577))).toEqual({ state: "refused", reasons });
  });

  it("reports all reasons of a refusal together", () => {
    const reading = readSigma(
      "title: x\nlogsource: { product: atari }\ndetection: { s: { A|b: x }, t: { C|d: x }, condition: s }",
    );
    expect(reading).toEqual({
      state: "refused",
      reasons: [
        "logsource: product 'atari' is not a known source",
        "detection.s.A|b: modifier 'b' is not supported",
        "detection.t.C|d: modifier 'd' is not supported",
      ],
    });
  });
});

describe("a rule that is too large for the log store", () => {
  it("refuses a rule that is too large for the log store at import, with its size", () => {
    const values = Array.from({ length: 6000 }, (_, at) => `      - '${String(at).padStart(100, "x")}'`);
    const yaml = `title: Long\nlogsource:\n  product: windows\ndetection:\n  selection:\n    Image:\n${values.join("\n")}\n  condition: selection\n`;
    expect([...readSigmaDocuments(yaml)]).toEqual([
      {
        ...{ state: "refused", document: 1, title: "Long" },
        reasons: [
          expect.stringMatching(/^query: is too large for the log store: \d+ characters of values, at most 524288$/),
        ],
      },
    ]);
  });
});
