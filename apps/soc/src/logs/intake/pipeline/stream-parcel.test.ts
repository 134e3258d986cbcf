import { expect, it } from "vitest";
import { eventsOf } from "../../../foundation/events/event-stream.ts";
import { readJsonEvents } from "../formats/json-events.ts";
import { batchOf, entryOf, type Origin, type Parcel } from "./parcel.ts";
import { bundlesOf, parcelIn, STREAM_LIMITS, streamEventOf } from "./stream-parcel.ts";

const AT = new Date("2026-11-15T10:00:00Z");
let made = 0;
const nextId = () => {
  made += 1;
  return `00000000-0000-7000-8000-${String(made).padStart(12, "0")}`;
};

function parcelOf(body: string, given: Partial<Origin> = {}): Parcel {
  const origin: Origin = { format: "json", sender: "key:edge", ...given };
  const found = readJsonEvents(body);
  const batch = batchOf(origin, 0, found);
  const entries = found.map((each, index) =>
    entryOf(each, index, batch?.key, origin, { nextId, arrivedAt: AT.toISOString() }),
  );
  return { entries, characters: body.length, batch, origin };
}

it("brings a parcel through the stream as it was", () => {
  const hostile = `{"id":"a","message":"' \\u2028 ي \\ud83d\\ude4c \\u0000","n":1.5,"nested":{"a.b":[null,"\\n"]}}`;
  const parcel = parcelOf(hostile, { batchId: "b1", site: "riyadh", source: "fw" });
  const [bundle] = bundlesOf([parcel], nextId);
  if (!bundle) throw new Error("no bundle");
  const [event] = eventsOf(JSON.parse(JSON.stringify([streamEventOf(bundle, AT)]))) ?? [];
  expect(event && parcelIn(event)).toEqual({ ...parcel, characters: hostile.length });
});

it("gives every parcel a name, and leaves a named one its own", () => {
  const named = parcelOf(`{"message":"a"}`, { batchId: "b1" });
  const keys = bundlesOf([named, parcelOf(`{"message":"b"}`)], nextId).map(({ parcel }) => parcel.batch.key);
  expect(keys[0]).toBe(named.batch?.key);
  expect(keys[1]).toMatch(/^00000000-/);
});

it("joins what one sender sent without a name, but not what two did", () => {
  const parcels = ["a", "b"].flatMap((sender) => [1, 2, 3].map((n) => parcelOf(`{"message":"${n}"}`, { sender })));
  const bundles = bundlesOf(parcels, nextId);
  expect(bundles.map(({ parcel }) => [parcel.origin.sender, parcel.entries.map(({ index }) => index)])).toEqual([
    ["a", [0, 1, 2]],
    ["b", [0, 1, 2]],
  ]);
});

it("joins no more than one event of the stream carries", () => {
  const many = Array.from({ length: 11 }, () => parcelOf(Array.from({ length: 100 }, () => `{"m":1}`).join("\n")));
  const rows = bundlesOf(many, nextId).map(({ parcel }) => parcel.entries.length);
  expect(rows).toEqual([500, 500, 100]);
  const long = Array.from({ length: 3 }, () => parcelOf(`{"m":"${"x".repeat(STREAM_LIMITS.characters / 2)}"}`));
  expect(bundlesOf(long, nextId)).toHaveLength(3);
});

it("leaves behind what could not be read, and what is nothing then", () => {
  const bundles = bundlesOf([parcelOf(`{"message":"a"}\nbroken`), parcelOf("broken", { sender: "other" })], nextId);
  expect(bundles.map(({ parcel }) => parcel.entries.map(({ log }) => log?.message))).toEqual([["a"]]);
});

it.each([
  ["an event of another kind", { type: "alert.created" }],
  ["one without a batch", { data: { characters: 0, origin: { format: "json", sender: "" }, entries: [] } }],
  ["one with an entry that has no log", { entries: [{ index: 0, source: "", isNamed: false }] }],
  ["one of an unknown format", { origin: { format: "xml", sender: "" } }],
])("takes %s for no parcel", (_what, { type = "logs", data, ...wrong }: Record<string, unknown>) => {
  const right = { batch: { key: "", digest: "" }, characters: 0, origin: { format: "json", sender: "" }, entries: [] };
  const event = { id: "1", at: AT.toISOString(), type: "logs", subject_id: "1", data: right };
  expect(parcelIn(event)).toEqual(right);
  expect(parcelIn({ ...event, type: String(type), data: Object(data ?? { ...right, ...wrong }) })).toBeUndefined();
});
