import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";

export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const ALERT_STATUSES = ["new", "triaged", "investigating", "resolved", "closed", "false_positive"] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];
const VERDICTS = ["true_positive", "false_positive", "needs_tuning"] as const;
/** The column that sorts the list; a minus means descending. */
export const ALERT_SORTS = ["-created_at", "created_at", "-last_seen", "last_seen", "-severity", "severity"] as const;
export type AlertSort = (typeof ALERT_SORTS)[number];

const closed = { additionalProperties: false } as const;
const Severity = Type.Enum([...SEVERITIES]);
const Status = Type.Enum([...ALERT_STATUSES]);
const Verdict = Type.Enum([...VERDICTS]);

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

function texts(maxItems: number, maxLength: number) {
  return Type.Array(text(maxLength), { maxItems });
}

const Assignee = Type.Union([text(254), Type.Null()]);

export const AlertParams = Type.Object({ alert_id: Type.String() });

export const ListAlertsQuery = Type.Object({
  ...PageQuery.properties,
  severity: Type.Optional(Severity),
  status: Type.Optional(Status),
  source: Type.Optional(text(100)),
  assignee: Type.Optional(text(254)),
  case_id: Type.Optional(Id),
  q: Type.Optional(text(200)),
  sort: Type.Optional(Type.Enum([...ALERT_SORTS])),
});
export type ListAlertsQuery = Static<typeof ListAlertsQuery>;

export const CreateAlertRequest = Type.Object(
  {
    title: text(500),
    source: text(100),
    severity: Type.Optional(Severity),
    description: Type.Optional(text(20_000)),
    iocs: Type.Optional(texts(1000, 2048)),
    log_ids: Type.Optional(texts(100, 100)),
    mitre_techniques: Type.Optional(texts(100, 50)),
    host: Type.Optional(text(255)),
    user: Type.Optional(text(255)),
    site: Type.Optional(text(100)),
    risk_score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    assignee: Type.Optional(Assignee),
    tags: Type.Optional(texts(50, 100)),
  },
  closed,
);
export type CreateAlertRequest = Static<typeof CreateAlertRequest>;

export const UpdateAlertRequest = Type.Object(
  {
    status: Type.Optional(Status),
    assignee: Type.Optional(Assignee),
    severity: Type.Optional(Severity),
    verdict: Type.Optional(Type.Union([Verdict, Type.Null()])),
    resolution: Type.Optional(Type.Union([text(5000), Type.Null()])),
    tags: Type.Optional(texts(50, 100)),
  },
  closed,
);
export type UpdateAlertRequest = Static<typeof UpdateAlertRequest>;

export const BulkUpdateRequest = Type.Object(
  { ids: Type.Array(Id, { minItems: 1, maxItems: 500 }), ...UpdateAlertRequest.properties },
  closed,
);
export type BulkUpdateRequest = Static<typeof BulkUpdateRequest>;

const PromoteRequest = Type.Object(
  { description: Type.Optional(text(20_000)), assignee: Type.Optional(Assignee) },
  closed,
);
export type PromoteRequest = Static<typeof PromoteRequest>;
/** Both fields are optional, and so is the body. */
export const PromoteBody = Type.Unsafe<PromoteRequest | null>({ ...PromoteRequest, type: ["object", "null"] });

export const CaseLinkRequest = Type.Object({ case_id: Id }, closed);

/** Without the fingerprint, which is internal. */
export const AlertBody = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: TextOrNull,
  source: Type.String(),
  severity: Severity,
  status: Status,
  iocs: Type.Array(Type.String()),
  occurrence_count: Type.Integer(),
  first_seen: Time,
  last_seen: Time,
  reopened_count: Type.Integer(),
  case_id: TextOrNull,
  rule_id: TextOrNull,
  log_ids: Type.Array(Type.String()),
  mitre_techniques: Type.Array(Type.String()),
  host: TextOrNull,
  user: TextOrNull,
  site: TextOrNull,
  risk_score: Type.Union([Type.Number(), Type.Null()]),
  assignee: TextOrNull,
  acknowledged_at: TimeOrNull,
  acknowledged_by: TextOrNull,
  resolved_at: TimeOrNull,
  resolution: TextOrNull,
  verdict: Type.Union([Verdict, Type.Null()]),
  tags: Type.Array(Type.String()),
  created_at: Time,
  updated_at: Time,
});

export const AlertsBody = Type.Object({ items: Type.Array(AlertBody) });

/** Other alerts within a day of this one, newest first, at most 50 of each. */
export const AlertContextBody = Type.Object({
  same_host: Type.Array(AlertBody),
  same_user: Type.Array(AlertBody),
  same_ioc: Type.Array(AlertBody),
});
