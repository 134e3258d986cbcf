import { expect, it } from "vitest";
import { parseStreamEvents } from "../../../foundation/events/event-stream.ts";
import { readJsonEvents } from "../formats/json-events.ts";
import { buildBatch, buildEntry, type Chunk, type Origin } from "./chunk.ts";
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
  const [bundle] = groupIntoBundles([chunk], nextId);
  if (!bundle) throw new Error("no bundle");
  const [event] = parseStreamEvents(JSON.parse(JSON.stringify([toStreamEvent(bundle, AT)]))) ?? [];
  expect(event && readChunk(event)).toEqual({ ...chunk, characters: hostile.length });
});

it("gives every chunk a key and keeps the key of a named batch", () => {
  const named = buildChunk(`{"message":"a"}`, { batchId: "b1" });
  const keys = groupIntoBundles([named, buildChunk(`{"message":"b"}`)], nextId).map(({ chunk }) => chunk.batch.key);
  expect(keys[0]).toBe(named.batch?.key);
  expect(keys[1]).toMatch(/^00000000-/);
});

it("joins unnamed chunks of the same sender, but not of different senders", () => {
  const chunks = ["a", "b"].flatMap((sender) => [1, 2, 3].map((n) => buildChunk(`{"message":"${n}"}`, { sender })));
  const bundles = groupIntoBundles(chunks, nextId);
  expect(bundles.map(({ chunk }) => [chunk.origin.sender, chunk.entries.map(({ index }) => index)])).toEqual([
    ["a", [0, 1, 2]],
    ["b", [0, 1, 2]],
  ]);
});

it("joins chunks only up to the limits of one stream event", () => {
  const many = Array.from({ length: 11 }, () => buildChunk(Array.from({ length: 100 }, () => `{"m":1}`).join("\n")));
  const rows = groupIntoBundles(many, nextId).map(({ chunk }) => chunk.entries.length);
  expect(rows).toEqual([500, 500, 100]);
  const long = Array.from({ length: 3 }, () => buildChunk(`{"m":"${"x".repeat(STREAM_LIMITS.characters / 2)}"}`));
  expect(groupIntoBundles(long, nextId)).toHaveLength(3);
});

it("leaves out entries that could not be parsed, and chunks that are then empty", () => {
  const bundles = groupIntoBundles(
    [buildChunk(`{"message":"a"}\nbroken`), buildChunk("broken", { sender: "other" })],
    nextId,
  );
  expect(bundles.map(({ chunk }) => chunk.entries.map(({ log }) => log?.message))).toEqual([["a"]]);
});

it.each([
  ["an event of another type", { type: "alert.created" }],
  ["an event without a batch", { data: { characters: 0, origin: { format: "json", sender: "" }, entries: [] } }],
  ["an event with an entry that has no log", { entries: [{ index: 0, source: "", isNamed: false }] }],
  ["an event of an unknown format", { origin: { format: "xml", sender: "" } }],
])("does not read %s as a chunk", (_what, { type = "logs", data, ...wrong }: Record<string, unknown>) => {
  const right = { batch: { key: "", digest: "" }, characters: 0, origin: { format: "json", sender: "" }, entries: [] };
  const event = { id: "1", at: AT.toISOString(), type: "logs", subject_id: "1", data: right };
  expect(readChunk(event)).toEqual(right);
  expect(readChunk({ ...event, type: String(type), data: Object(data ?? { ...right, ...wrong }) })).toBeUndefined();
});
