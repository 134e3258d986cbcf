import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { SEARCH_ID } from "../searches/searches.schema.ts";

export const EXPORT_LIMITS = { default: 100_000, maximum: 1_000_000 } as const;
export const EXPORT_FORMATS = ["ndjson", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The maximum offset from the newest log; use a cursor beyond it. */
const MAX_SKIPPED = 100_000;

/** The query parser itself refuses long queries and names the position. */
export const QueryText = Type.String({ maxLength: 16_000 });
export const FilterText = Type.String({ minLength: 1, maxLength: 500 });
export const LogSeverityWord = Type.Enum([...SEVERITIES], { title: "LogSeverity" });

/** An instant (ISO 8601), a day such as `2026-05-31`, or a time relative to now such as `now-1h`. */
const WindowTime = Type.String({ minLength: 1, maxLength: 64 });

/** The time window: `from` is inclusive; `to` is exclusive, except that a day is included as a whole. */
export const LogWindowQuery = Type.Object({ from: Type.Optional(WindowTime), to: Type.Optional(WindowTime) });
export type LogWindowQuery = Static<typeof LogWindowQuery>;

const LogFilter = Type.Object({
  query: Type.Optional(QueryText),
  source: Type.Optional(FilterText),
  host: Type.Optional(FilterText),
  severity: Type.Optional(LogSeverityWord),
  ...LogWindowQuery.properties,
});

export const SearchLogsQuery = Type.Object({
  ...SEARCH_ID,
  ...LogFilter.properties,
  ...PageQuery.properties,
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SKIPPED })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
});
export type SearchLogsQuery = Static<typeof SearchLogsQuery>;

export const ExportLogsQuery = Type.Object({
  ...LogFilter.properties,
  format: Type.Optional(Type.Enum([...EXPORT_FORMATS])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: EXPORT_LIMITS.maximum })),
});
export type ExportLogsQuery = Static<typeof ExportLogsQuery>;

export const LogParams = Type.Object({ log_id: Type.String() });

/** The fields in which neighbouring logs can be equal. */
const SAME_FIELDS = ["host", "source", "user", "process", "site", "src_ip", "dst_ip"] as const;
const MAX_AROUND = 200;
const MAX_IDS = 200;
const Around = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AROUND }));

export const AroundQuery = Type.Object({
  ...SEARCH_ID,
  before: Around,
  after: Around,
  same: Type.Optional(MultiValueOf(Type.Enum([...SAME_FIELDS]))),
});
export type AroundQuery = Static<typeof AroundQuery>;

export const GetLogsRequest = Type.Object(
  { ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: MAX_IDS }) },
  { title: "GetLogsRequest", additionalProperties: false },
);

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** An unknown value is null. */
export const LogBody = Type.Object(
  {
    id: Type.String(),
    timestamp: Type.String({ format: "date-time" }),
    ingested_at: Type.String({ format: "date-time" }),
    site: TextOrNull,
    source: Type.String(),
    host: TextOrNull,
    severity: LogSeverityWord,
    event_code: TextOrNull,
    action: TextOrNull,
    outcome: TextOrNull,
    user: TextOrNull,
    src_ip: TextOrNull,
    dst_ip: TextOrNull,
    src_port: Type.Union([Type.Integer(), Type.Null()]),
    dst_port: Type.Union([Type.Integer(), Type.Null()]),
    process: TextOrNull,
    message: TextOrNull,
    raw: Type.String(),
    attributes: Type.Object({}, { additionalProperties: true }),
    timestamp_origin: Type.Enum(["event", "arrival"]),
  },
  { title: "Log" },
);
export type LogBody = Static<typeof LogBody>;

/** Marks a response that lacks the logs of unreachable stores. */
export const PartialBody = {
  is_partial: Type.Optional(Type.Boolean({ description: "whether the logs of missing_stores are missing" })),
  missing_stores: Type.Optional(Type.Array(Type.String(), { description: "the log stores that did not answer" })),
};

export const LogsPageBody = Type.Object({ ...PageOf(LogBody).properties, ...PartialBody }, { title: "LogPage" });

export const LogsAroundBody = Type.Object(
  {
    log: LogBody,
    before: Type.Array(LogBody),
    after: Type.Array(LogBody),
    ...PartialBody,
  },
  { title: "LogNeighbours" },
);
export type LogsAroundBody = Static<typeof LogsAroundBody>;

export const GetLogsBody = Type.Object(
  {
    items: Type.Array(LogBody, { description: "in the order of the request" }),
    missing: Type.Array(Type.String()),
  },
  { title: "FoundLogs" },
);

export const LogStatsBody = Type.Object(
  {
    total_events: Type.Integer(),
    events_24h: Type.Integer(),
    events_per_second: Type.Number(),
    by_severity: Type.Record(Type.String(), Type.Integer()),
    by_source: Type.Record(Type.String(), Type.Integer()),
    ingest_lag_s: Type.Number(),
    storage_bytes: Type.Integer(),
    ...PartialBody,
  },
  { title: "LogStats" },
);

export const QueryCompletionBody = Type.Object(
  {
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        operators: Type.Array(Type.String()),
        values: Type.Array(Type.String()),
        examples: Type.Array(Type.String()),
      }),
    ),
    operators: Type.Array(Type.Object({ text: Type.String(), meaning: Type.String(), example: Type.String() })),
  },
  { title: "QueryCompletion" },
);
