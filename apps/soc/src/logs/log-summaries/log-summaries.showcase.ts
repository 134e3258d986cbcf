import type { Field } from "@kit/query/condition";
import { parseNumber } from "@kit/query/condition-number";
import type { LogEvent } from "../../ports/log-event.ts";
import { createValueReader, toPredicate } from "../query/predicate.ts";
import type { LogsSelection } from "../search/log-selection.ts";
import { listAttributes } from "./attribute-names.ts";
import { type LogSummariesStore, MAX_ATTRIBUTES } from "./log-summaries.store.ts";
import type { CountedFacet, GroupRow } from "./log-summary.ts";
import { isInstant, type Metric } from "./metric.ts";

/** The same summaries over the logs of the showcase. */
export function createShowcaseLogSummaries(logs: readonly LogEvent[]): LogSummariesStore {
  function find({ condition, from, to }: LogsSelection): LogEvent[] {
    const isWanted = toPredicate(condition);
    const [first, end] = [from.toISOString(), to.toISOString()];
    return logs.filter((log) => log.timestamp >= first && log.timestamp < end && isWanted(log));
  }

  return {
    async histogram({ selection, originMs, widthMs, by }) {
      const findBucket = ({ timestamp }: LogEvent) => Math.floor((Date.parse(timestamp) - originMs) / widthMs);
      return [...groupBy(find(selection), findBucket)].flatMap(([bucket, members]) =>
        [...groupBy(members, (log) => log[by])].map(([value, same]) => ({
          ...{ bucket, value },
          ...{ count: same.length, total: members.length },
        })),
      );
    },

    async facets({ selection, fields, limit }) {
      const found = find(selection);
      return { total: found.length, facets: fields.map((field) => countFacet(found, field, limit)) };
    },

    async aggregate({ selection, groupBy: fields, metrics, limit }) {
      const readers = fields.map(createSingleReader);
      const toKey = (log: LogEvent) => JSON.stringify(readers.map((read) => read(log)));
      const found = find(selection);
      const groups = fields.length === 0 ? new Map([["[]", found]]) : groupBy(found, toKey);
      const rows = [...groups.values()].map(
        (members): GroupRow => ({
          group: readers.map((read) => (members[0] ? read(members[0]) : null)),
          metrics: metrics.map((metric) => computeMetric(metric, members)),
        }),
      );
      return rows.toSorted((a, b) => Number(b.metrics[0]) - Number(a.metrics[0])).slice(0, limit);
    },

    async attributes(selection) {
      const found = find(selection);
      const names = groupBy(
        found.flatMap(({ attributes }) => listAttributes(attributes).map(({ name }) => name)),
        (name) => name,
      );
      const counts = [...names].map(([name, same]) => ({ name, count: same.length }));
      const attributes = counts.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
      return { total: found.length, attributes: attributes.slice(0, MAX_ATTRIBUTES) };
    },
  };
}

function countFacet(found: readonly LogEvent[], field: Field, limit: number): CountedFacet {
  const read = createValueReader(field);
  const known = found.map((log) => read(log).filter((value) => value !== ""));
  const counts = [...groupBy(known.flat(), (value) => value)].map(([value, same]) => ({ value, count: same.length }));
  return {
    values: counts.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit),
    distinct: counts.length,
    missing: known.filter(({ length }) => length === 0).length,
    is_estimate: false,
  };
}

/** The single value of a field; null for an unknown value, and for a list. */
function createSingleReader(field: Field): (log: LogEvent) => string | null {
  const read = createValueReader(field);
  return (log) => {
    const [value, ...more] = read(log);
    return value === undefined || value === "" || more.length > 0 ? null : value;
  };
}

function computeMetric(metric: Metric, members: readonly LogEvent[]): number | string | null {
  if (metric.kind === "count") return members.length;
  const texts = members.map(createSingleReader(metric.field)).filter((text) => text !== null);
  if (metric.kind === "distinct") return new Set(texts).size;
  if (isInstant(metric.field)) return (metric.kind === "min" ? texts.toSorted()[0] : texts.toSorted().at(-1)) ?? null;
  const numbers = texts.map(parseNumber).filter((number) => number !== undefined);
  if (numbers.length === 0) return null;
  if (metric.kind === "min") return Math.min(...numbers);
  if (metric.kind === "max") return Math.max(...numbers);
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function groupBy<Item, Key>(items: readonly Item[], toKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
