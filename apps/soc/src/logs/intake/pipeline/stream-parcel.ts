import type { StreamEvent } from "../../../foundation/events/event-stream.ts";
import type { Log } from "../../search/log.ts";
import { FORMATS, isFields } from "./event.ts";
import type { Entry, Origin, Parcel, ParcelLimits } from "./parcel.ts";

/** What one event of the stream carries; a message of it holds several. */
export const STREAM_LIMITS: ParcelLimits = { rows: 500, characters: 128 * 1024 };

/** A parcel for the stream, and where each of its entries came from. */
export interface Bundle {
  /** It always has a name: what the stream hands over twice is stored once. */
  parcel: Parcel & { batch: NonNullable<Parcel["batch"]> };
  members: readonly { parcel: Parcel; entry: Entry }[];
}

const TYPE = "logs";

/** Named batches as they are, and of the rest those of one sender together. What could not be read stays behind. */
export function bundlesOf(parcels: readonly Parcel[], nextKey: () => string): Bundle[] {
  const bundles: Bundle[] = [];
  const open = new Map<string, Parcel[]>();
  const end = (collected: readonly Parcel[]) => {
    const bundle = bundleOf(collected, nextKey);
    if (bundle.members.length > 0) bundles.push(bundle);
  };
  for (const parcel of parcels) {
    if (parcel.batch) {
      end([parcel]);
      continue;
    }
    const { format, sender, site } = parcel.origin;
    const origin = JSON.stringify([format, sender, site ?? null]);
    const collected = open.get(origin) ?? [];
    if (fits([...collected, parcel])) open.set(origin, [...collected, parcel]);
    else {
      end(collected);
      open.set(origin, [parcel]);
    }
  }
  for (const collected of open.values()) end(collected);
  return bundles;
}

function fits(parcels: readonly Parcel[]): boolean {
  const rows = parcels.reduce((sum, { entries }) => sum + entries.length, 0);
  const characters = parcels.reduce((sum, each) => sum + each.characters, 0);
  return rows <= STREAM_LIMITS.rows && characters <= STREAM_LIMITS.characters;
}

function bundleOf(parcels: readonly Parcel[], nextKey: () => string): Bundle {
  const members = parcels.flatMap((parcel) =>
    parcel.entries.flatMap((entry) => (entry.log ? [{ parcel, entry }] : [])),
  );
  const [first] = parcels;
  const batch = first?.batch ?? { key: nextKey(), digest: "" };
  // A named batch's entries keep their places: they are a part of their names.
  const entries = members.map(({ entry }, place) => (first?.batch ? entry : { ...entry, index: place }));
  const characters = members.reduce((sum, { entry }) => sum + entry.raw.length, 0);
  return { parcel: { entries, characters, batch, origin: first?.origin ?? NOBODY }, members };
}

const NOBODY: Origin = { format: "json", sender: "" };

export function streamEventOf({ parcel }: Bundle, at: Date): StreamEvent {
  const { batch, characters, origin, entries } = parcel;
  const carried = entries.map(({ index, source, isNamed, raw, log }) => ({
    index,
    source,
    isNamed,
    log,
    // A log holds it already.
    ...(raw !== log?.raw && { raw }),
  }));
  const id = batch.digest === "" ? batch.key : `${batch.key} ${batch.digest}`;
  const data = { batch, characters, origin, entries: carried };
  return { id, at: at.toISOString(), type: TYPE, subject_id: batch.key, data };
}

/** The parcel that an event of the stream carries; undefined when it is none of ours. */
export function parcelIn({ type, data }: StreamEvent): Parcel | undefined {
  if (type !== TYPE) return undefined;
  const { batch, characters, origin, entries }: Partial<Record<keyof Parcel, unknown>> = { ...data };
  const isWhole = isBatch(batch) && isOrigin(origin) && typeof characters === "number" && Array.isArray(entries);
  if (!isWhole) return undefined;
  const carried = entries.flatMap((entry) => entryIn(entry) ?? []);
  return carried.length === entries.length ? { batch, characters, origin, entries: carried } : undefined;
}

function entryIn(value: unknown): Entry | undefined {
  if (!isFields(value)) return undefined;
  const { index, source, isNamed, log } = value;
  if (typeof index !== "number" || typeof source !== "string" || typeof isNamed !== "boolean") return undefined;
  if (!isLog(log)) return undefined;
  const raw = typeof value.raw === "string" ? value.raw : log.raw;
  return { index, raw, source, log, reason: undefined, isNamed };
}

function isBatch(value: unknown): value is NonNullable<Parcel["batch"]> {
  return isFields(value) && typeof value.key === "string" && typeof value.digest === "string";
}

function isOrigin(value: unknown): value is Origin {
  if (!isFields(value)) return false;
  return FORMATS.some((format) => format === value.format) && typeof value.sender === "string";
}

/** Whether its columns hold what they should, the log store says. */
function isLog(value: unknown): value is Log {
  return isFields(value) && [value.id, value.timestamp, value.raw].every((text) => typeof text === "string");
}
