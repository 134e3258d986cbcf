import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { parseIndicator } from "./indicator.ts";
import { createIocMatcher, valuesIn } from "./ioc-matcher.ts";

function createTestMatcher(...values: string[]) {
  const matcher = createIocMatcher();
  matcher.add(values.map((value) => ({ ...parseIndicator(value), id: value })));
  return matcher;
}

const buildLog = (given: Partial<LogEvent>) => sampleLog({ id: "log", ...given });

describe("the matcher", () => {
  const ALL = [
    "5.6.7.8",
    "2a00::1:2",
    "5.6.0.0/16",
    "5.0.0.0/8",
    "2a00:1::/32",
    "evil.test",
    "http://bad.test/Drop?id=1",
    "boss@bad.test",
    "44d88612fea8a8f36de82e1278abb02f",
    "xn--bcher-kva.test",
  ];
  const matcher = createTestMatcher(...ALL);

  it.each<[Partial<LogEvent>, string[]]>([
    [{ src_ip: "5.6.7.8" }, ["5.6.7.8", "5.6.0.0/16", "5.0.0.0/8"]],
    [{ dst_ip: "5.6.255.1" }, ["5.6.0.0/16", "5.0.0.0/8"]],
    [{ dst_ip: "6.0.0.1" }, []],
    [{ src_ip: "2A00:0:0:0:0:0:1:2" }, ["2a00::1:2"]],
    [{ src_ip: "2a00:1::9" }, ["2a00:1::/32"]],
    [{ message: "connect to 5.6.7.8:443 failed." }, ["5.6.7.8"]],
    [{ message: "15.6.7.8 5.6.7.80 5.6.7.8.9 x5.6.7.8" }, []],
    [{ message: "from 2a00::1:2, at 12:34:56" }, ["2a00::1:2"]],
    [{ message: "asked for cdn.EVIL.test." }, ["evil.test"]],
    [{ message: "asked for notevil.test and evil.test.com" }, []],
    [{ message: "evil.test" }, ["evil.test"]],
    [{ host: "ws1.evil.test" }, ["evil.test"]],
    [{ user: "Boss@bad.test" }, ["boss@bad.test"]],
    [{ message: "from=<boss@bad.test>, to=<x@y.test>" }, ["boss@bad.test"]],
    [{ message: "the.boss@bad.test" }, []],
    [{ attributes: { mail: { from: ["a@evil.test"] } } }, ["evil.test"]],
    [{ message: "GET http://bad.test/Drop?id=1 200" }, ["http://bad.test/Drop?id=1"]],
    [{ message: "GET (HTTP://BAD.test:80/Drop?id=1#x)" }, ["http://bad.test/Drop?id=1"]],
    [{ message: "GET http://bad.test/drop?id=1" }, []],
    [
      { attributes: { file: { hash: { md5: "44D88612FEA8A8F36DE82E1278ABB02F" } } } },
      ["44d88612fea8a8f36de82e1278abb02f"],
    ],
    [{ message: "44d88612fea8a8f36de82e1278abb02f0" }, []],
    [{ message: "asked for bücher.test" }, ["xn--bcher-kva.test"]],
    [{ process: "evil.test", source: "evil.test", raw: "evil.test" }, []],
    [{ attributes: { "evil.test": 1 } }, []],
  ])("finds in %j the indicators %j", (given, found) => {
    expect([...matcher.match(buildLog(given))].toSorted()).toEqual(found.toSorted());
  });

  it("still finds indicators after very many were added", () => {
    const many = createIocMatcher();
    many.add(Array.from({ length: 20_000 }, (_, n) => ({ id: `id${n}`, type: "domain", value: `d${n}.test` })));
    expect(many.size()).toBe(20_000);
    expect(many.match(buildLog({ message: "a.d0.test d19999.test d20000.test" }))).toEqual(["id0", "id19999"]);
  });

  it("finds nothing without indicators", () => {
    expect(createIocMatcher().match(buildLog({ src_ip: "5.6.7.8" }))).toEqual([]);
  });

  // Rules query the database for values, the stream uses this matcher. Both must agree.
  it("agrees with the values that rules query", () => {
    const word = fc.constantFrom(
      ...ALL,
      "x",
      "Evil.Test",
      "cdn.evil.test",
      "http://",
      "@bad.test",
      "::",
      "…",
      "2a00::1:2",
    );
    const glue = fc.constantFrom(" ", ".", ",", ":", "/", "@", "-", "_", "=", "<", "(", "");
    const text = fc.array(fc.tuple(word, glue), { maxLength: 6 }).map((parts) => parts.flat().join(""));
    fc.assert(
      fc.property(text, fc.constantFrom("", "5.6.7.8", "2A00::1:2", "5.6.1.1"), (message, src_ip) => {
        const log = buildLog({ message, src_ip });
        const { values } = valuesIn(log);
        const known = ALL.filter((value) => !value.includes("/16") && !value.includes("/8") && !value.includes("/32"));
        const found = matcher.match(log).filter((id) => known.includes(id));
        expect(found.toSorted()).toEqual(known.filter((value) => values.includes(value)).toSorted());
      }),
      { numRuns: 2000 },
    );
  });
});
