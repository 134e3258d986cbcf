import { formatEntity, type SharedEntity } from "./shared-entity.ts";

/** A record that can be linked to others. */
export interface CorrelatedRecord {
  kind: "alert" | "attestation";
  id: string;
  at: Date;
  entities: readonly SharedEntity[];
}

/** The reason why two records are related. */
export interface Link<Other extends CorrelatedRecord = CorrelatedRecord> {
  other: Other;
  /** From 0 to 1. */
  score: number;
  /** The shared entities, most significant first. */
  shared: readonly WeighedEntity[];
}

export interface WeighedEntity extends SharedEntity {
  weight: number;
}

const WINDOW_MS = 24 * 60 * 60_000;
/** Records with at least this score are related: one entity that few share is enough, one that many share is not. */
const LEAST_SCORE = 0.5;
const WEIGHTS: Readonly<Record<SharedEntity["kind"], number>> = {
  ...{ device: 0.95, hash: 0.9, ioc: 0.9, host: 0.8, user: 0.8, address: 0.7 },
};
/** An entity has full weight up to this many other hosts (or users, for a host) and decreasing weight above. */
const MAX_SHARED_BY = 5;

export function windowAround(at: Date): { from: Date; to: Date } {
  return { from: new Date(at.getTime() - WINDOW_MS), to: new Date(at.getTime() + WINDOW_MS) };
}

/** Returns the links of a record to others within a day, strongest first. */
export function findLinks<Other extends CorrelatedRecord>(
  record: CorrelatedRecord,
  others: readonly Other[],
): Link<Other>[] {
  const { from, to } = windowAround(record.at);
  const near = others.filter((other) => !isSame(record, other) && other.at >= from && other.at <= to);
  const weigh = createWeigher([record, ...near]);
  const own = new Map(record.entities.map((entity) => [formatEntity(entity), entity]));
  const links = near.map((other): Link<Other> => {
    const shared = other.entities
      .filter((entity) => own.has(formatEntity(entity)))
      .map((entity) => ({ ...entity, weight: weigh(entity) }))
      .toSorted((a, b) => b.weight - a.weight);
    return { other, shared, score: 1 - shared.reduce((doubt, { weight }) => doubt * (1 - weight), 1) };
  });
  return links.filter(({ score }) => score >= LEAST_SCORE).toSorted((a, b) => b.score - a.score);
}

/** Weighs a shared entity: the more hosts or users have it in this period, the less it weighs. */
function createWeigher(records: readonly CorrelatedRecord[]): (entity: SharedEntity) => number {
  const holders = new Map<string, Set<string>>();
  for (const { entities } of records) {
    for (const entity of entities) {
      const holder = entity.kind === "host" || entity.kind === "device" ? "user" : "host";
      const key = formatEntity(entity);
      const known = holders.get(key) ?? new Set<string>();
      for (const each of entities) if (each.kind === holder) known.add(each.value);
      holders.set(key, known);
    }
  }
  return (entity) => {
    const count = holders.get(formatEntity(entity))?.size ?? 0;
    return WEIGHTS[entity.kind] * Math.min(1, MAX_SHARED_BY / Math.max(1, count));
  };
}

function isSame(a: CorrelatedRecord, b: CorrelatedRecord): boolean {
  return a.kind === b.kind && a.id === b.id;
}

const KIND_WORDS: Readonly<Record<SharedEntity["kind"], string>> = {
  ...{ device: "the device", host: "the host", user: "the user", address: "the address", hash: "the hash" },
  ioc: "the indicator",
};
const MAX_NAMED = 3;

/** Describes a link: "both name the host ws-7 and the user ada, 4 minutes apart". */
export function describeLink({ at }: Pick<CorrelatedRecord, "at">, { other, shared }: Link): string {
  const named = shared.slice(0, MAX_NAMED).map(({ kind, value }) => `${KIND_WORDS[kind]} ${value}`);
  const more = shared.length > MAX_NAMED ? [`${shared.length - MAX_NAMED} more`] : [];
  return `both name ${joinWords([...named, ...more])}, ${formatDistance(Math.abs(at.getTime() - other.at.getTime()))} apart`;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function formatDistance(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
