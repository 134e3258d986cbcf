import { basename } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import { lacksPublicData, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import { toLog } from "../../logs/normalise/normalise.ts";
import { toPredicate } from "../../logs/query/predicate.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createStreamMatcher } from "../matching/stream-matcher.ts";
import { readSigma, type SigmaReading, type SigmaRule } from "./sigma.ts";

const isFull = process.env.PROVE === "full";
const NEWLINE = 0x0a;
const LIMIT_MS = 900_000;
/**
 * A normal build reads the rules that a test names and one of eight others; `npm run prove -- siem` reads all of them.
 * The offset is the one whose rules match most of the public events.
 */
const EVERY_RULE = 8;
const RULE_OFFSET = 7;
const INGESTED_AT = "2026-01-01T00:00:00.000Z";

/** Rules with placeholder values that each site must define; SigmaHQ marks them with "expand". */
const PLACEHOLDERS = [
  "win_security_adcs_certighost_cdc_chase_request",
  "win_security_adcs_certighost_cert_issued_via_chase",
];

const DATA = ["sigma-rules.tar.gz", "sigma-regression.tar.gz", "otrf-events-60k.ndjson.gz"];

describe.skipIf(lacksPublicData(...DATA))("SigmaHQ's rules", { timeout: LIMIT_MS }, () => {
  const readings = new Map<string, SigmaReading>();
  let rules: SigmaRule[] = [];

  beforeAll(() => {
    const files = readTarFiles(readPublic("sigma-rules.tar.gz")).filter(({ path }) => path.endsWith(".yml"));
    expect(files).toHaveLength(3754);
    const needed = new Set([...readSamples().map(({ ruleId }) => ruleId), ...PLACEHOLDERS]);
    for (const [place, { path, text }] of files.entries()) {
      const isNeeded = needed.has(/^id: (\S+)/m.exec(text)?.[1] ?? "") || needed.has(basename(path, ".yml"));
      if (isFull || isNeeded || place % EVERY_RULE === RULE_OFFSET) readings.set(path, readSigma(text));
    }
    rules = [...readings.values()].flatMap((reading) => (reading.state === "read" ? [reading.rule] : []));
  }, LIMIT_MS);

  it("parses SigmaHQ's rules, except those with placeholders, which it refuses with the field and the reason", () => {
    const refused = [...readings].flatMap(([path, reading]) =>
      reading.state === "refused" ? [{ name: basename(path, ".yml"), reasons: reading.reasons }] : [],
    );
    expect(readings.size).toBeGreaterThan(isFull ? 3753 : 600);
    expect(new Set(refused.map(({ name }) => name))).toEqual(new Set(PLACEHOLDERS));
    for (const { reasons } of refused) {
      expect(reasons).toEqual([expect.stringMatching(/^detection\.\w+\.Attributes\|contains\|expand: .*placeholders/)]);
    }
  });

  it("matches the events that SigmaHQ's rules must match", () => {
    const matcher = createStreamMatcher(rules);
    const results = readSamples().map(({ ruleId, text }) => {
      const events = parseObjects(text);
      return { ruleId, count: events.length, isMet: events.some((event) => matchIds(matcher, event).includes(ruleId)) };
    });
    const single = results.filter(({ count }) => count === 1);
    expect(results).toHaveLength(203);
    expect(single).toHaveLength(190);
    expect(results.filter(({ isMet }) => !isMet).map(({ ruleId }) => ruleId)).toEqual([]);
  });

  it("finds in public events what each rule alone finds", () => {
    const step = isFull ? 1 : 60;
    const logs = publicLogs((place) => place % step === 0);
    const matcher = createStreamMatcher(rules);
    const predicates = rules.map(({ id, condition }) => ({ id, isMet: toPredicate(condition) }));
    const byMatcher: string[][] = [];
    const indexed = timed(() => {
      for (const log of logs) byMatcher.push(matcher.match(log));
    });
    const bySelf: string[][] = [];
    const naive = timed(() => {
      for (const log of logs) bySelf.push(predicates.filter(({ isMet }) => isMet(log)).map(({ id }) => id));
    });
    console.log(
      `${logs.length} events, ${rules.length} rules, ${byMatcher.flat().length} hits;`,
      `evaluation: ${rate(logs.length, indexed)} events per CPU-second, unindexed ${rate(logs.length, naive)};`,
      `evaluated rules per event: ${(matcher.evaluations() / logs.length).toFixed(2)}; unindexed rules: ${matcher.unindexed.length}`,
    );
    expect(byMatcher).toEqual(bySelf);
    expect(byMatcher.flat().length).toBeGreaterThan(isFull ? 800 : 5);
    expect(naive / indexed).toBeGreaterThan(4);
  });
});

/** Events that a rule must match, in files that are named after it. */
function readSamples(): { ruleId: string; text: string }[] {
  return readTarFiles(readPublic("sigma-regression.tar.gz"))
    .filter(({ path }) => /\.json(cls)?$/.test(path))
    .map(({ path, text }) => ({ ruleId: basename(path).replace(/\..*$/, ""), text }));
}

function matchIds(matcher: ReturnType<typeof createStreamMatcher>, event: Record<string, unknown>): string[] {
  return matcher.match(toLog(event, { id: "", site: "", ingested_at: INGESTED_AT, raw: JSON.stringify(event) }));
}

/** Some files contain several objects in sequence. */
function parseObjects(text: string): Record<string, unknown>[] {
  return text
    .split(/\n(?=\{)/)
    .filter((part) => part.trim() !== "")
    .map((part) => JSON.parse(part));
}

function publicLogs(isWanted: (place: number) => boolean): LogEvent[] {
  const logs: LogEvent[] = [];
  const events = readPublic("otrf-events-60k.ndjson.gz");
  for (let at = 0, place = 0; at < events.length; place += 1) {
    const end = events.indexOf(NEWLINE, at);
    const raw = events.toString("utf8", at, end);
    if (isWanted(place))
      logs.push(toLog(JSON.parse(raw), { id: String(place), site: "", ingested_at: INGESTED_AT, raw }));
    at = end + 1;
  }
  return logs;
}

/** In CPU seconds, which other processes do not distort. */
function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function rate(count: number, seconds: number): number {
  return Math.round(count / seconds);
}
