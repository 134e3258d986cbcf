import { closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { expect, it } from "vitest";
import { filesOf, hasPublicData, publicPath, readPublic } from "../../testing/public-data.ts";
import { toLog } from "../siem/normalise.ts";
import { readSigma } from "./sigma.ts";
import { createStreamMatcher } from "./stream-matcher.ts";

const isFull = process.env.PROVE === "full";
const CHUNK = 1_048_576;
const NEWLINE = 0x0a;
const FEWEST_PER_CPU_SECOND = 25_000;
const MOST_MEGABYTES = 400;
const LIMIT_MS = 900_000;

it.skipIf(!isFull || !hasPublicData)(
  "keeps up with all rules loaded (only with PROVE=full and ../shared/data)",
  { timeout: LIMIT_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "events-"));
    try {
      const path = join(folder, "events.ndjson");
      await pipeline(
        createReadStream(publicPath("otrf-events-60k.ndjson.gz")),
        createGunzip(),
        createWriteStream(path),
      );
      const matcher = createStreamMatcher(publicRules());
      const passes = [measure(path, matcher), measure(path, matcher), measure(path, matcher)];
      const megabytes = Math.round(process.resourceUsage().maxRSS / 1000);
      const bytes = Math.round(matcher.indexBytes / 1e6);
      console.log(
        passes.map(({ rate, hits }) => `${rate} events per CPU-second, ${hits} hits`).join("; "),
        `; most memory ${megabytes} MB, index ${bytes} MB`,
      );
      // The first pass also pays for the compiler of the engine.
      expect(Math.max(...passes.map(({ rate }) => rate))).toBeGreaterThanOrEqual(FEWEST_PER_CPU_SECOND);
      expect(megabytes).toBeLessThan(MOST_MEGABYTES);
      expect(passes.map(({ events }) => events)).toEqual([60_000, 60_000, 60_000]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

function publicRules() {
  return filesOf(readPublic("sigma-rules.tar.gz")).flatMap(({ path, text }) => {
    const reading = path.endsWith(".yml") ? readSigma(text) : undefined;
    return reading?.state === "read" ? [{ id: reading.rule.id, condition: reading.rule.condition }] : [];
  });
}

function measure(path: string, matcher: ReturnType<typeof createStreamMatcher>) {
  let events = 0;
  let hits = 0;
  const before = process.cpuUsage();
  eachLine(path, (raw) => {
    const log = toLog(JSON.parse(raw), { id: "1", site: "", ingested_at: "2026-01-01T00:00:00.000Z", raw });
    hits += matcher.match(log).length;
    events += 1;
  });
  const { user, system } = process.cpuUsage(before);
  return { events, hits, rate: Math.round((events / (user + system)) * 1e6) };
}

function eachLine(path: string, onLine: (line: string) => void): void {
  const file = openSync(path, "r");
  const chunk = Buffer.alloc(CHUNK);
  let kept = 0;
  for (
    let read = readSync(file, chunk, 0, CHUNK, null);
    read > 0;
    read = readSync(file, chunk, kept, CHUNK - kept, null)
  ) {
    const end = kept + read;
    let at = 0;
    for (let next = chunk.indexOf(NEWLINE, at); next >= 0 && next < end; next = chunk.indexOf(NEWLINE, at)) {
      onLine(chunk.toString("utf8", at, next));
      at = next + 1;
    }
    kept = chunk.copy(chunk, 0, at, end);
  }
  closeSync(file);
}
