import type { Clock } from "@kit/clock";
import type { Condition } from "@kit/query/condition";
import { FIELD_KINDS, isLogField } from "@kit/query/log-field";
import { checkQuery, type QueryProblem } from "@kit/query/query-check";
import type { Scope } from "../../foundation/caller/caller.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { MissingStores } from "../../ports/log-store.ts";
import { type Attribute, listAttributes } from "../log-summaries/attribute-names.ts";
import { ATTEMPTS, type Attempt, coverNewest } from "../log-summaries/coverage.ts";
import type { LogSummariesStore } from "../log-summaries/log-summaries.store.ts";
import type { CountedAttributes } from "../log-summaries/log-summary.ts";
import { requireGroupField } from "../log-summaries/metric.ts";
import { createValueReader } from "../query/predicate.ts";
import { buildLogSelection } from "../search/log-selection.ts";
import type { LogsStore } from "../search/logs.store.ts";
import { toPartial } from "../search/partial.ts";
import type {
  FieldValues,
  FieldValuesQuery,
  LogFieldShown,
  LogFieldsFound,
  LogFieldsQuery,
} from "./log-fields.schema.ts";

export interface LogFieldsStores {
  logs: Pick<LogsStore, "search">;
  summaries: Pick<LogSummariesStore, "attributes" | "facets">;
}

export interface LogFieldsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: LogFieldsStores; showcase: LogFieldsStores };
  clock: Pick<Clock, "now">;
  attempts?: readonly Attempt[] | undefined;
}
export type LogFieldsService = ReturnType<typeof createLogFieldsService>;

const SAMPLE_SIZE = 500;
const DEFAULT_FIELDS = 200;
const DEFAULT_VALUES = 20;
const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 200;
/** The user keeps typing: less than a tenth of a second in total. Each attempt costs some milliseconds on its own. */
const TYPING: readonly Attempt[] = [
  { share: 1, maxSeconds: 0.05 },
  { share: 1 / 64, maxSeconds: 0.02 },
];

/** Completions for query editors: the names of the fields and attributes that the logs have, and their values. */
export function createLogFieldsService({ runtime, stores, clock, attempts }: LogFieldsServiceDeps) {
  return {
    /** Returns the first problem of a query, or nothing. */
    check: (query: string): QueryProblem[] => checkQuery(query, { now: clock.now() }),

    async list(scope: Scope, query: LogFieldsQuery, signal?: AbortSignal): Promise<LogFieldsFound> {
      const { q = "", limit = DEFAULT_FIELDS } = query;
      const now = clock.now();
      const selection = buildLogSelection(scope, query, now);
      const { logs, summaries } = await runtime.choose(stores);
      const missing: MissingStores = new Set();
      const sample = await logs.search({ ...selection, missing }, { limit: SAMPLE_SIZE }, signal);
      const toCover = { window: selection, now, attempts: attempts ?? ATTEMPTS };
      const { covered, result } = await coverNewest(toCover, (window, maxSeconds) =>
        summaries.attributes({ ...selection, ...window }, { maxSeconds, signal }),
      );
      const wanted = q.toLowerCase();
      const items = [...describeFields(sample), ...describeAttributes(sample, result)].filter(({ name }) =>
        name.toLowerCase().includes(wanted),
      );
      return {
        ...{ ...covered, ...toPartial(missing) },
        is_estimate: covered.is_partial || missing.size > 0 || sample.length === SAMPLE_SIZE,
        ...{ items: items.slice(0, limit), sampled: sample.length, has_more: items.length > limit },
      };
    },

    /** Lists the values of a field that begin with a text, most frequent first. */
    async listValues(scope: Scope, name: string, query: FieldValuesQuery, signal?: AbortSignal): Promise<FieldValues> {
      const { prefix = "", limit = DEFAULT_VALUES } = query;
      const field = requireGroupField("name", name);
      const now = clock.now();
      const { condition: asked, from, to } = buildLogSelection(scope, query, now);
      const pattern = [{ text: prefix }, { wildcard: "any" }] as const;
      const begins: Condition =
        prefix === "" ? { kind: "exists", field } : { kind: "text", field, pattern, isCased: false };
      const condition: Condition = { kind: "and", of: [asked, begins] };
      const { summaries } = await runtime.choose(stores);
      const toCover = { window: { from, to }, now, attempts: attempts ?? TYPING };
      const { covered, result } = await coverNewest(toCover, (part, maxSeconds) =>
        summaries.facets({ selection: { scope, condition, ...part }, fields: [field], limit }, { maxSeconds, signal }),
      );
      const facet = result?.facets[0];
      // A list may also contain values without the prefix.
      const values = facet?.values.filter(({ value }) => value.toLowerCase().startsWith(prefix.toLowerCase())) ?? [];
      return { ...covered, is_estimate: covered.is_partial || facet?.is_estimate === true, field: name, values };
    },
  };
}

function describeFields(sample: readonly LogEvent[]): LogFieldShown[] {
  return Object.keys(FIELD_KINDS)
    .filter(isLogField)
    .map((name) => {
      const read = createValueReader({ name });
      const known = sample.map((log) => read(log)[0] ?? "").filter((value) => value !== "");
      const share = sample.length === 0 ? 0 : known.length / sample.length;
      return { name, type: FIELD_KINDS[name], share, examples: toExamples(known) };
    });
}

function describeAttributes(sample: readonly LogEvent[], counted: CountedAttributes | undefined): LogFieldShown[] {
  const seen = new Map<string, Attribute>();
  for (const { attributes } of sample) {
    for (const attribute of listAttributes(attributes)) {
      const known = seen.get(attribute.name);
      const values = [...(known?.values ?? []), ...attribute.values].slice(0, SAMPLE_SIZE);
      seen.set(attribute.name, { ...attribute, values });
    }
  }
  const { total = 0, attributes = [] } = counted ?? {};
  return attributes.map(({ name, count }) => {
    const { type = "unknown", values = [] } = seen.get(name) ?? {};
    return { name: `attributes.${name}`, type, share: total === 0 ? 0 : count / total, examples: toExamples(values) };
  });
}

/** Returns the most frequent values. */
function toExamples(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_EXAMPLES)
    .map(([text]) => text.slice(0, MAX_EXAMPLE_LENGTH));
}
