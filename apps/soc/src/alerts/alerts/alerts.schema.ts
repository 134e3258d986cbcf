import Type, { type Static } from "typebox";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { Id, Instant, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { SiteFilter, SiteName } from "../../identity/sites/site-fields.schema.ts";

export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const ALERT_STATUSES = ["new", "triaged", "investigating", "resolved", "closed", "false_positive"] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];
const VERDICTS = ["true_positive", "false_positive", "needs_tuning"] as const;
/** The column that sorts the list; a minus sign means descending. */
export const ALERT_SORTS = [
  ...(["-created_at", "created_at", "-last_seen", "last_seen"] as const),
  ...(["-severity", "severity", "-risk_score", "risk_score"] as const),
] as const;
export type AlertSort = (typeof ALERT_SORTS)[number];

const closed = { additionalProperties: false } as const;
const Severity = Type.Enum([...SEVERITIES], { title: "Severity" });
const Status = Type.Enum([...ALERT_STATUSES], { title: "AlertStatus" });
const Verdict = Type.Enum([...VERDICTS], { title: "AlertVerdict" });

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

function texts(maxItems: number, maxLength: number) {
  return Type.Array(text(maxLength), { maxItems });
}

const Assignee = Type.Union([text(254), Type.Null()]);

export const AlertParams = Type.Object({ alert_id: Type.String() });

/** The filters of the alert list and of its summary. */
export const AlertFilters = Type.Object({
  severity: Type.Optional(MultiValueOf(Severity)),
  status: Type.Optional(MultiValueOf(Status)),
  source: Type.Optional(MultiValueOf(text(100))),
  assignee: Type.Optional(MultiValueOf(text(254))),
  case_id: Type.Optional(MultiValueOf(Id)),
  verdict: Type.Optional(MultiValueOf(Type.Enum([...VERDICTS, "none"]))),
  has_case: Type.Optional(Type.Boolean()),
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
  ioc: Type.Optional(MultiValueOf(text(2048))),
  min_risk: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  host: Type.Optional(MultiValueOf(text(255))),
  user: Type.Optional(MultiValueOf(text(255))),
  rule_id: Type.Optional(MultiValueOf(text(100))),
  site: Type.Optional(MultiValueOf(SiteFilter)),
  tag: Type.Optional(MultiValueOf(text(100))),
  technique: Type.Optional(MultiValueOf(text(50))),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  q: Type.Optional(text(200)),
  query: Type.Optional(text(2000)),
});
export type AlertFilters = Static<typeof AlertFilters>;

export const ListAlertsQuery = Type.Object({
  ...PageQuery.properties,
  ...AlertFilters.properties,
  sort: Type.Optional(Type.Enum([...ALERT_SORTS])),
});
export type ListAlertsQuery = Static<typeof ListAlertsQuery>;

export const CreateAlertRequest = Type.Object(
  {
    title: text(500),
    source: text(100),
    severity: Type.Optional(Severity),
    status: Type.Optional(Status),
    description: Type.Optional(text(20_000)),
    iocs: Type.Optional(texts(1000, 2048)),
    log_ids: Type.Optional(texts(100, 100)),
    mitre_techniques: Type.Optional(texts(100, 50)),
    host: Type.Optional(text(255)),
    user: Type.Optional(text(255)),
    site: Type.Optional(SiteName),
    risk_score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    assignee: Type.Optional(Assignee),
    tags: Type.Optional(texts(50, 100)),
  },
  { title: "CreateAlertRequest", ...closed },
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
  { title: "UpdateAlertRequest", ...closed },
);
export type UpdateAlertRequest = Static<typeof UpdateAlertRequest>;

const PromoteRequest = Type.Object(
  {
    description: Type.Optional(text(20_000)),
    assignee: Type.Optional(Assignee),
    template_id: Type.Optional(text(100)),
  },
  { title: "PromoteRequest", ...closed },
);
export type PromoteRequest = Static<typeof PromoteRequest>;
/** Both fields are optional, and so is the body. */
export const PromoteBody = Type.Unsafe<PromoteRequest | null>({ ...PromoteRequest, type: ["object", "null"] });

export const CaseLinkRequest = Type.Object({ case_id: Id }, { title: "CaseLinkRequest", ...closed });

export const CaseAlertsParams = Type.Object({ case_id: Type.String() });
export const CaseAlertParams = Type.Object({ case_id: Type.String(), alert_id: Type.String() });
export const LinkAlertsRequest = Type.Object(
  { alert_ids: Type.Array(Id, { minItems: 1, maxItems: 500 }) },
  { title: "LinkAlertsRequest", ...closed },
);
export const LinkedAlertsBody = Type.Object(
  {
    linked: Type.Integer({ description: "alerts that were not in the case" }),
    moved: Type.Integer({ description: "those of them that were in another case" }),
  },
  { title: "LinkedAlerts" },
);
export type LinkedAlerts = Static<typeof LinkedAlertsBody>;

const EntityBody = Type.Object(
  {
    name: Type.String({ description: "normalised: lower case, without a domain; an address in its canonical form" }),
    full_name: Type.String({ description: "the longest spelling seen" }),
    count: Type.Integer(),
  },
  { title: "AlertEntity" },
);

/** The 100 most frequent entities of each kind. */
export const AlertEntitiesBody = Type.Object(
  {
    hosts: Type.Array(EntityBody),
    users: Type.Array(EntityBody),
    addresses: Type.Array(EntityBody),
    is_complete: Type.Boolean({ description: "false if an alert has more than 100 of a kind" }),
  },
  { title: "AlertEntities" },
);

const GroupBody = Type.Record(Type.String(), Type.String(), {
  description: "the fields by which the rule groups, with their values",
});

/** Omits internal fields. */
export const AlertBody = Type.Object(
  {
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
    event_first_at: TimeOrNull,
    event_last_at: TimeOrNull,
    reopened_count: Type.Integer(),
    reopened_at: TimeOrNull,
    case_id: TextOrNull,
    rule_id: TextOrNull,
    log_ids: Type.Array(Type.String()),
    mitre_techniques: Type.Array(Type.String()),
    host: TextOrNull,
    user: TextOrNull,
    site: TextOrNull,
    entities: AlertEntitiesBody,
    group: Type.Union([GroupBody, Type.Null()]),
    risk_score: Type.Union([Type.Number(), Type.Null()]),
    assignee: TextOrNull,
    acknowledged_at: TimeOrNull,
    acknowledged_by: TextOrNull,
    resolved_at: TimeOrNull,
    resolution: TextOrNull,
    verdict: Type.Union([Verdict, Type.Null()]),
    verdict_at: TimeOrNull,
    suppressed_since_verdict: Type.Integer({ description: "repeats that were counted since the verdict" }),
    tags: Type.Array(Type.String()),
    created_at: Time,
    updated_at: Time,
  },
  { title: "Alert" },
);

export const AlertsPage = Type.Object(
  {
    ...PageOf(AlertBody).properties,
    is_partial: Type.Optional(
      Type.Boolean({ description: "true if more alerts may match than were checked; continue with next_cursor" }),
    ),
  },
  { title: "AlertPage" },
);

/** Other alerts within a day of this alert, newest first, at most 50 per list. */
export const AlertContextBody = Type.Object(
  {
    same_host: Type.Array(AlertBody),
    same_user: Type.Array(AlertBody),
    same_ioc: Type.Array(AlertBody),
  },
  { title: "AlertContext" },
);
