import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { createStreamMatcher, type StreamRule } from "../../src/detection/matching/stream-matcher.ts";
import { createRouteTable, findRoutes } from "../../src/detection/matching/stream-matcher-routes.ts";
import { toLog } from "../../src/logs/normalise/normalise.ts";
import { toPredicate } from "../../src/logs/query/predicate.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import { lacksPublicData } from "../fixtures/public-data.ts";
import { measureCpuMicros, print } from "./figures.ts";
import { eachLine, publicRules, writePublicEvents } from "./public-rules.ts";

const { BENCH_STREAM_EVENTS = "1500" } = process.env;
const events = Number(BENCH_STREAM_EVENTS);
// Speed is checked at the specified size only: the first thousands of events include JIT compilation.
const isFull = events >= 60_000;
const PASSES = isFull ? 4 : 1;
/** The number of events for the comparison with the matcher without its index, which is slow. */
const COMPARED = Math.min(events, 10_000);
const FEWEST_PER_CPU_SECOND = 25_000;
const LEAST_RATIO = 4;
const MAX_MEGABYTES = 400;
const LIMIT_MS = 900_000;

interface Matches {
  match(log: LogEvent): string[];
}

it.skipIf(lacksPublicData("sigma-rules.tar.gz", "otrf-events-60k.ndjson.gz"))(
  "matches every Sigma rule against each event",
  { timeout: LIMIT_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "events-"));
    try {
      const path = join(folder, "events.ndjson");
      await writePublicEvents(path);
      const rules = publicRules();
      const matcher = createStreamMatcher(rules);
      const passes = Array.from({ length: PASSES }, () => wholePass(path, matcher));
      const fastest = Math.max(...passes.map(({ rate }) => rate));
      print(
        `stream: ${fastest} events per CPU-second, parse included, ${rules.length} rules, ${events} events, ` +
          `${passes[0]?.hits} hits (passes: ${passes.map(({ rate }) => rate).join(", ")})`,
      );
      const megabytes = Math.round(process.resourceUsage().maxRSS / 1000);
      print(`stream: most memory ${megabytes} MB, of which the index ${Math.round(matcher.indexBytes / 1e6)} MB`);
      printShares(path, matcher);
      const ratio = compare(path, matcher, rules);
      expect(new Set(passes.map(({ hits }) => hits)).size).toBe(1);
      expect(passes.map((pass) => pass.events)).toEqual(passes.map(() => events));
      expect(ratio).toBeGreaterThanOrEqual(isFull ? LEAST_RATIO : 1);
      expect(megabytes).toBeLessThan(MAX_MEGABYTES);
      if (isFull) expect(fastest).toBeGreaterThanOrEqual(FEWEST_PER_CPU_SECOND);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

function parseLog(raw: string): LogEvent {
  return toLog(JSON.parse(raw), { id: "1", site: "", ingested_at: "2026-01-01T00:00:00.000Z", raw });
}

function wholePass(path: string, matcher: Matches) {
  let hits = 0;
  let count = 0;
  const micros = measureCpuMicros(() => {
    count = eachLine(path, events, (raw) => {
      hits += matcher.match(parseLog(raw)).length;
    });
  });
  return { hits, events: count, rate: Math.round((count / micros) * 1e6) };
}

/** The cost of each stage for one event. */
function printShares(path: string, matcher: Matches): void {
  const each = (work: (raw: string) => unknown) => measureCpuMicros(() => eachLine(path, events, work)) / events;
  const reading = each(() => undefined);
  const parsing = each((raw) => JSON.parse(raw));
  const normalising = each(parseLog);
  const whole = each((raw) => matcher.match(parseLog(raw)));
  const shares = [reading, parsing - reading, normalising - parsing, whole - normalising];
  const [read, parse, normalise, evaluate] = shares.map((micros) => micros.toFixed(1));
  print(`stream: µs an event: ${read} reading, ${parse} parsing, ${normalise} normalising, ${evaluate} evaluating`);
}

/** Evaluation alone, with and without the index, on the same events and with the same hits. */
function compare(path: string, matcher: Matches, rules: readonly StreamRule[]): number {
  const logs: LogEvent[] = [];
  const every = Math.floor(events / COMPARED);
  let line = 0;
  eachLine(path, events, (raw) => {
    if (line % every === 0) logs.push(parseLog(raw));
    line += 1;
  });
  const unindexed = createUnindexed(rules);
  const timed = (matches: Matches) => {
    const found: string[] = [];
    const micros = measureCpuMicros(() => {
      for (const [n, log] of logs.entries()) for (const id of matches.match(log)) found.push(`${n} ${id}`);
    });
    return { micros, found };
  };
  // Once to warm up; then alternate, so that other load on the machine affects both sides.
  const [slow, quick] = [timed(unindexed), timed(matcher)];
  expect(quick.found).toEqual(slow.found);
  const turns = Array.from({ length: isFull ? 3 : 1 }, () => [timed(unindexed).micros, timed(matcher).micros] as const);
  const [without, by] = [0, 1].map((side) => Math.min(...turns.map((turn) => turn[side === 0 ? 0 : 1])));
  const ratio = (without ?? Number.NaN) / (by ?? Number.NaN);
  print(
    `stream: evaluation alone ${ratio.toFixed(1)} times as fast as by log source alone, without the index ` +
      `(${perEvent(by, logs)} against ${perEvent(without, logs)} µs an event, ${logs.length} events, the same hits)`,
  );
  return ratio;
}

const perEvent = (micros: number | undefined, { length }: readonly LogEvent[]) => ((micros ?? 0) / length).toFixed(1);

/** Evaluates every rule of the event's log source in sequence. */
function createUnindexed(rules: readonly StreamRule[]): Matches {
  const things = rules.map(({ id, condition }) => ({ id, predicate: toPredicate(condition) }));
  const table = createRouteTable(
    things.map((thing, place) => ({ thing, routes: findRoutes(rules[place]?.condition ?? { kind: "none" }) })),
  );
  return { match: (log) => table.at(log).flatMap(({ id, predicate }) => (predicate(log) ? [id] : [])) };
}
