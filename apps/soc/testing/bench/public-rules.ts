import { closeSync, createReadStream, createWriteStream, openSync, readSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { StreamRule } from "../../src/detection/matching/stream-matcher.ts";
import { readSigma } from "../../src/detection/sigma/sigma.ts";
import { publicPath, readPublic, readTarFiles } from "../fixtures/public-data.ts";

const CHUNK = 1_048_576;
const NEWLINE = 0x0a;

/** All public Sigma rules, unmodified. */
export function publicRuleTexts(): string[] {
  return readTarFiles(readPublic("sigma-rules.tar.gz"))
    .filter(({ path }) => path.endsWith(".yml"))
    .map(({ text }) => text);
}

export function publicRules(): StreamRule[] {
  return publicRuleTexts().flatMap((text) => {
    const reading = readSigma(text);
    return reading.state === "read" ? [{ id: reading.rule.id, condition: reading.rule.condition }] : [];
  });
}

/** Unpacks the public events to a file that is read line by line, because they would fill half the memory. */
export async function writePublicEvents(path: string): Promise<void> {
  await pipeline(createReadStream(publicPath("otrf-events-60k.ndjson.gz")), createGunzip(), createWriteStream(path));
}

/** Calls back with each line of the file up to a limit; returns their number. */
export function eachLine(path: string, maxCount: number, onLine: (line: string) => void): number {
  const file = openSync(path, "r");
  const chunk = Buffer.alloc(CHUNK);
  let kept = 0;
  let count = 0;
  for (
    let read = readSync(file, chunk, 0, CHUNK, null);
    read > 0 && count < maxCount;
    read = readSync(file, chunk, kept, CHUNK - kept, null)
  ) {
    const end = kept + read;
    let at = 0;
    for (let next = chunk.indexOf(NEWLINE, at); next >= 0 && next < end; next = chunk.indexOf(NEWLINE, at)) {
      if (count < maxCount) onLine(chunk.toString("utf8", at, next));
      count += 1;
      at = next + 1;
    }
    kept = chunk.copy(chunk, 0, at, end);
  }
  closeSync(file);
  return Math.min(count, maxCount);
}
