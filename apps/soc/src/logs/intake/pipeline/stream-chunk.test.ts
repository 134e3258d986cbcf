import { expect, it } from "vitest";
import { parseStreamEvents } from "../../../foundation/events/event-stream.ts";
import { readJsonEvents } from "../formats/json-events.ts";
import { buildBatch, buildEntry, type Chunk, type Origin } from "./chunk.ts";
import { partitionFor } from "./partition-for.ts";
import { groupIntoBundles, readChunk, STREAM_LIMITS, toStreamEvent } from "./stream-chunk.ts";

const AT = new Date("2026-11-15T10:00:00Z");
let made = 0;
const nextId = () => {
  made += 1;
  return `00000000-0000-7000-8000-${String(made).padStart(12, "0")}`;
};

function buildChunk(body: string, given: Partial<Origin> = {}): Chunk {
  const origin: Origin = { format: "json", sender: "key:edge", ...given };
  const found = readJsonEvents(body);
  const batch = buildBatch(origin, 0, found);
  const entries = found.map((each, index) =>
    buildEntry(each, index, batch?.key, origin, { nextId, arrivedAt: AT.toISOString() }),
  );
  return { entries, characters: body.length, batch, origin };
}

it("carries a chunk through the stream unchanged", () => {
  const hostile = `{"id":"a","message":"' \\u2028 ي \\ud83d\\ude4c \\u0000","n":1.5,"nested":{"a.b":[null,"\\n"]}}`;
  const chunk = buildChunk(hostile, { batchId: "b1", site: "riyadh", source: "fw" });
  const [bundle] = groupIntoBundles([chunk], 12, nextId);
  if (!bundle) throw new Error("no bundle");
  const [event] = parseStreamEvents(JSON.parse(JSON.stringify([toStreamEvent(bundle, AT)]))) ?? [];
  expect(event && readChunk(event)).toEqual({ ...chunk, characters: hostile.length });
});

it("keeps the name of a batch, and gives every other bundle an id", () => {
  const named = buildChunk(`{"message":"a"}`, { batchId: "b1" });
  const [first, second] = groupIntoBundles([named, buildChunk(`{"message":"b"}`)], 12, nextId);
  expect([first?.chunk.batch, first?.id]).toEqual([named.batch, `${named.batch?.key} ${named.batch?.digest}`]);
  expect(second?.chunk.batch).toBeUndefined();
  expect(second?.id).toMatch(/^00000000-/);
});

it("groups entries by their partition, and named ones by that of their origin", () => {
  const sources = ["fw", "dns", "proxy"];
  const lines = (id: string) =>
    sources.map((source, n) => JSON.stringify({ source, message: "m", ...(id && { id: `${id}${n}` }) }));
  const plain = groupIntoBundles([buildChunk(lines("").join("\n"))], 12, nextId);
  const expected = sources.map((source) => partitionFor({ site: "", source, sender: "key:edge" }, 12));
  expect(plain.map(({ partition }) => partition)).toEqual(expected);
  const named = groupIntoBundles([buildChunk(lines("e").join("\n"))], 12, nextId);
  expect(named.map(({ partition }) => partition)).toEqual([
    partitionFor({ site: "", source: "", sender: "key:edge" }, 12),
  ]);
});

it("joins unnamed chunks of the same sender, but not of different senders", () => {
  const chunks = ["a", "b"].flatMap((sender) => [1, 2, 3].map((n) => buildChunk(`{"message":"${n}"}`, { sender })));
  const bundles = groupIntoBundles(chunks, 1, nextId);
  expect(bundles.map(({ chunk }) => [chunk.origin.sender, chunk.entries.map(({ index }) => index)])).toEqual([
    ["a", [0, 1, 2]],
    ["b", [0, 1, 2]],
  ]);
});

it("joins chunks only up to the limits of one stream event", () => {
  const many = Array.from({ length: 11 }, () => buildChunk(Array.from({ length: 100 }, () => `{"m":1}`).join("\n")));
  const rows = groupIntoBundles(many, 12, nextId).map(({ chunk }) => chunk.entries.length);
  expect(rows).toEqual([500, 500, 100]);
  const long = Array.from({ length: 3 }, () => buildChunk(`{"m":"${"x".repeat(STREAM_LIMITS.characters / 2)}"}`));
  expect(groupIntoBundles(long, 12, nextId)).toHaveLength(3);
});

it("omits entries that could not be parsed, and chunks that are then empty", () => {
  const bundles = groupIntoBundles(
    [buildChunk(`{"message":"a"}\nbroken`), buildChunk("broken", { sender: "other" })],
    12,
    nextId,
  );
  expect(bundles.map(({ chunk }) => chunk.entries.map(({ log }) => log?.message))).toEqual([["a"]]);
});

it.each([
  ["an event of another type", { type: "alert.created" }],
  ["an event with a batch without a key", { batch: { digest: "" } }],
  ["an event with an entry that has no log", { entries: [{ index: 0, source: "", isNamed: false }] }],
  ["an event of an unknown format", { origin: { format: "xml", sender: "" } }],
])("does not accept %s as a chunk", (_what, { type = "logs", data, ...wrong }: Record<string, unknown>) => {
  const right = { batch: { key: "", digest: "" }, characters: 0, origin: { format: "json", sender: "" }, entries: [] };
  const event = { id: "1", at: AT.toISOString(), type: "logs", subject_id: "1", data: right };
  expect(readChunk(event)).toEqual(right);
  expect(readChunk({ ...event, type: String(type), data: Object(data ?? { ...right, ...wrong }) })).toBeUndefined();
});
