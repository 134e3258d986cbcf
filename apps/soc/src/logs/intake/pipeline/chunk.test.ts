import { expect, it } from "vitest";
import { batchKeyOf, eventLogIdOf, placeLogIdOf, tokenOf } from "../formats/keys.ts";
import { buildBatch, buildEntry, type Chunk, findChunkRanges, type Origin } from "./chunk.ts";
import { buildDeadLetter } from "./dead-letter.ts";
import { groupChunks, selectFresh } from "./group.ts";

const ORIGIN: Origin = { format: "json", sender: "key:edge" };
const DEPS = { nextId: () => "next", arrivedAt: "2026-11-15T10:00:00.000Z" };
const event = (raw: string, more: object = {}) => ({ fields: { message: raw }, raw, ...more });

function buildChunk(events: ReturnType<typeof event>[], batchId?: string): Chunk {
  const origin = { ...ORIGIN, ...(batchId && { batchId }) };
  const batch = buildBatch(origin, 0, events);
  const entries = events.map((each, index) => buildEntry(each, index, batch?.key, origin, DEPS));
  return { entries, characters: 0, batch, origin };
}

it("splits by rows and by size, always at the same positions, and drops nothing", () => {
  const small = Array.from({ length: 25_000 }, () => event("x"));
  expect(findChunkRanges(small)).toEqual([
    { from: 0, to: 10_000 },
    { from: 10_000, to: 20_000 },
    { from: 20_000, to: 25_000 },
  ]);
  const large = Array.from({ length: 40 }, () => event("x".repeat(1024 * 1024)));
  expect(findChunkRanges(large)).toEqual([
    { from: 0, to: 16 },
    { from: 16, to: 32 },
    { from: 32, to: 40 },
  ]);
  expect(findChunkRanges([])).toEqual([]);
});

it("derives UUIDs of version 8, equal for equal input and different for different input", () => {
  const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const key = batchKeyOf("a", "", "b-1", 0);
  const names = [
    key,
    batchKeyOf("b", "", "b-1", 0),
    batchKeyOf("a", "s", "b-1", 0),
    batchKeyOf("a", "", "b-2", 0),
    batchKeyOf("a", "", "b-1", 1),
    placeLogIdOf(key, 0),
    placeLogIdOf(key, 199_999),
    eventLogIdOf("a", { id: "1", raw: "x" }),
    eventLogIdOf("a", { id: "1", raw: "y" }),
    eventLogIdOf("a", { id: "1", raw: "x", isIdUnique: true }),
  ];
  for (const name of names) expect(name).toMatch(UUID_8);
  expect(new Set(names).size).toBe(names.length);
  expect(batchKeyOf("a", "", "b-1", 0)).toBe(key);
  const unique = (raw: string) => eventLogIdOf("a", { id: "1", raw, isIdUnique: true });
  expect(unique("x")).toBe(unique("y"));
  expect(tokenOf([{ id: "1" }, { id: "2" }])).not.toBe(tokenOf([{ id: "12" }, { id: "" }]));
});

it("reads the source from the event, then from the request, then from the event's channel", () => {
  const readSource = (fields: object, origin: object, source?: string) =>
    buildEntry(
      { fields: { ...fields }, raw: "", ...(source && { source }) },
      0,
      undefined,
      { ...ORIGIN, ...origin },
      DEPS,
    ).source;
  expect(readSource({ Channel: "Security" }, { source: "asked" }, "own")).toBe("own");
  expect(readSource({ Channel: "Security" }, { source: "asked" })).toBe("asked");
  expect(readSource({ Channel: "Security" }, {})).toBe("Security");
  expect(readSource({}, {})).toBe("unknown");
});

it("lets chunks of one batch follow the first and stores a repeated event once", () => {
  const first = buildChunk([event("a"), event("b", { id: "1" })], "b-1");
  const same = buildChunk([event("a"), event("b", { id: "1" })], "b-1");
  const other = buildChunk([event("b", { id: "1" }), event("c")]);
  const { leaders, followers, names } = groupChunks([first, same, other]);
  expect(leaders).toEqual([first, other]);
  expect(followers).toEqual(new Map([[same, first]]));
  expect(names).toHaveLength(1);
  expect(selectFresh(leaders, new Set()).map(({ log }) => log.message)).toEqual(["a", "b", "c"]);
  expect(selectFresh(leaders, new Set(names)).map(({ log }) => log.message)).toEqual(["a", "c"]);
});

it("keeps a dead letter of any text and marks a truncated one", () => {
  const keep = (raw: string) => {
    const chunk = buildChunk([event(raw)]);
    const [entry] = chunk.entries;
    if (!entry) throw new Error("no entry");
    const refusal = { index: 0, reason: "no\0", dead_letter_id: "1" };
    return buildDeadLetter(chunk, { ...entry, source: "a\0\uD800" }, refusal, new Date(0));
  };
  expect(keep("nul \0")).toMatchObject({
    raw: Buffer.from("nul \0"),
    is_cut: false,
    reason: "no\uFFFD",
    source: "a\uFFFD\uFFFD",
  });
  const long = keep("é".repeat(1024 * 1024));
  expect([long.raw.length, long.is_cut]).toEqual([1024 * 1024, true]);
});
