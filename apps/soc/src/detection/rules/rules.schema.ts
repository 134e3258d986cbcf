import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { SHARING_MODES } from "../../logs/hunts/hunts.schema.ts";
import { FilterText, QueryText } from "../../logs/search/logs.schema.ts";

export const RULE_TYPES = ["query", "threshold", "new_terms", "sequence"] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** The column that sorts the list; a minus means descending. */
export const RULE_SORTS = ["-created_at", "created_at", "-updated_at", "updated_at"] as const;
export type RuleSort = (typeof RULE_SORTS)[number];
/** Imported from Sigma, or created here. */
const ORIGINS = ["sigma", "own"] as const;

const closed = { additionalProperties: false } as const;
const Severity = Type.Enum([...SEVERITIES], { title: "Severity" });
const SeverityOrNull = Type.Union([Severity, Type.Null()]);
const FilterOrNull = Type.Union([FilterText, Type.Null()]);
const Sharing = Type.Enum([...SHARING_MODES], { title: "SharingMode" });
const Roles = Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Minutes = Type.Integer({ minimum: 1, maximum: 7 * 24 * 60 });
/** Field names of the query language: host, attributes.process.name. */
const FieldName = Type.String({ minLength: 1, maxLength: 530 });
const FieldNames = Type.Array(FieldName, { maxItems: 3 });

/** The details of a rule type beside the query. The rule itself checks which fields belong to which type. */
const ThresholdRequest = Type.Object(
  {
    count: Type.Optional(Type.Integer({ minimum: 2, maximum: 10_000 })),
    group_by: Type.Optional(FieldNames),
    within_minutes: Type.Optional(Minutes),
    /** Instead of within_minutes. */
    within_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 * 24 * 60 * 60 })),
    /** Counts the distinct values of this field instead of the events. */
    distinct_field: Type.Optional(FieldName),
    fields: Type.Optional(FieldNames),
    history_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
    steps: Type.Optional(Type.Array(QueryText, { maxItems: 5 })),
    /** The steps may occur in any order. */
    any_order: Type.Optional(Type.Boolean()),
  },
  { title: "ThresholdRequest", ...closed },
);
export type ThresholdRequest = Static<typeof ThresholdRequest>;

const fields = {
  description: Type.Optional(Type.String({ maxLength: 20_000 })),
  enabled: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Enum([...RULE_TYPES])),
  query: Type.Optional(QueryText),
  threshold: Type.Optional(Type.Union([ThresholdRequest, Type.Null()])),
  source: Type.Optional(FilterOrNull),
  host: Type.Optional(FilterOrNull),
  match_severity: Type.Optional(SeverityOrNull),
  alert_severity: Type.Optional(Severity),
  alert_title_template: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  alert_description_template: Type.Optional(Type.String({ maxLength: 20_000 })),
  auto_create_case: Type.Optional(Type.Boolean()),
  schedule_enabled: Type.Optional(Type.Boolean()),
  schedule_interval_minutes: Type.Optional(Minutes),
  mitre_techniques: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100 })),
  sharing_mode: Type.Optional(Sharing),
  shared_with_roles: Type.Optional(Roles),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
};

export const RuleParams = Type.Object({ rule_id: Type.String() });

const filters = {
  enabled: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Enum([...RULE_TYPES])),
  schedule_enabled: Type.Optional(Type.Boolean()),
  /** Words in the name, the description or a tag. */
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  technique: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  severity: Type.Optional(Severity),
  source: Type.Optional(FilterText),
  origin: Type.Optional(Type.Enum([...ORIGINS])),
};

/** Selects rules by the filters of the list. */
export const RuleFilters = Type.Object(filters, closed);
export type RuleFilters = Static<typeof RuleFilters>;

export const ListRulesQuery = Type.Object({
  ...PageQuery.properties,
  ...filters,
  sort: Type.Optional(Type.Enum([...RULE_SORTS])),
});
export type ListRulesQuery = Static<typeof ListRulesQuery>;

export const CreateRuleRequest = Type.Object({ name: Name, ...fields }, { title: "CreateRuleRequest", ...closed });
export type CreateRuleRequest = Static<typeof CreateRuleRequest>;

export const UpdateRuleRequest = Type.Object(
  { name: Type.Optional(Name), ...fields },
  { title: "UpdateRuleRequest", ...closed },
);
export type UpdateRuleRequest = Static<typeof UpdateRuleRequest>;

/** A rule as an exported document: the changes to an imported rule, or the fields of any other rule. */
export const RuleDocument = Type.Object(
  {
    manara_rule: Type.Literal(1),
    id: Type.Optional(Type.String({ format: "uuid" })),
    name: Type.Optional(Name),
    ...fields,
    /** The Sigma rule, or the correlation with its rules, that the fields modify. */
    sigma: Type.Optional(Type.String({ minLength: 1, maxLength: 1_048_576 })),
  },
  closed,
);
export type RuleDocument = Static<typeof RuleDocument>;

/** The author and the licence of an imported rule. A field that the rule does not state is empty. */
const SigmaOriginBody = Type.Object(
  {
    id: Type.String(),
    /** The name by which a correlation refers to the rule. */
    name: Type.Optional(Type.String()),
    title: Type.String(),
    author: Type.String(),
    license: Type.String(),
    status: Type.String(),
    references: Type.Array(Type.String()),
    falsepositives: Type.Array(Type.String()),
    logsource: Type.Object({
      product: Type.Optional(Type.String()),
      category: Type.Optional(Type.String()),
      service: Type.Optional(Type.String()),
    }),
  },
  { title: "SigmaOrigin" },
);

const ThresholdBody = Type.Union([
  Type.Object(
    {
      count: Type.Optional(Type.Integer()),
      group_by: Type.Optional(Type.Array(Type.String())),
      within_minutes: Type.Optional(Type.Integer()),
      within_seconds: Type.Optional(Type.Integer()),
      distinct_field: Type.Optional(Type.String()),
      fields: Type.Optional(Type.Array(Type.String())),
      history_days: Type.Optional(Type.Integer()),
      steps: Type.Optional(Type.Array(Type.String())),
      any_order: Type.Optional(Type.Boolean()),
    },
    { title: "Threshold" },
  ),
  Type.Null(),
]);

export const RuleBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    enabled: Type.Boolean(),
    type: Type.Enum([...RULE_TYPES]),
    query: Type.String(),
    threshold: ThresholdBody,
    source: TextOrNull,
    host: TextOrNull,
    match_severity: SeverityOrNull,
    alert_severity: Severity,
    alert_title_template: Type.String(),
    alert_description_template: Type.String(),
    auto_create_case: Type.Boolean(),
    schedule_enabled: Type.Boolean(),
    schedule_interval_minutes: Type.Integer(),
    mitre_techniques: Type.Array(Type.String()),
    sharing_mode: Sharing,
    shared_with_roles: Roles,
    tags: Type.Array(Type.String()),
    sigma: Type.Union([SigmaOriginBody, Type.Null()]),
    /** The fields of an imported rule that users have changed since. */
    overlay: Type.Array(Type.String()),
    version: Type.Integer(),
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
    last_run_at: TimeOrNull,
    next_run_at: TimeOrNull,
  },
  { title: "Rule" },
);
export type RuleBody = Static<typeof RuleBody>;

const { last_run_at: _last, next_run_at: _next, ...VERSIONED } = RuleBody.properties;

/** One version of a rule. */
export const RuleVersionBody = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    version: Type.Integer(),
    changed_by: Type.String(),
    changed_at: Time,
    rule: Type.Object({
      ...VERSIONED,
      created_at: Type.String({ format: "date-time" }),
      updated_at: Type.String({ format: "date-time" }),
    }),
  },
  { title: "RuleVersion" },
);

export const ImportRulesRequest = Type.Object(
  {
    /** Sigma rules and correlations, one YAML document each. */
    yaml: Type.String({ minLength: 1, maxLength: 1_048_576 }),
    enabled: Type.Optional(Type.Boolean()),
  },
  { title: "ImportRulesRequest", ...closed },
);
export type ImportRulesRequest = Static<typeof ImportRulesRequest>;

export const ImportedRulesBody = Type.Object(
  {
    items: Type.Array(Type.Object({ result: Type.Enum(["created", "updated", "unchanged"]), rule: RuleBody })),
    refused: Type.Array(
      Type.Object({ document: Type.Integer(), title: Type.String(), reasons: Type.Array(Type.String()) }),
    ),
  },
  { title: "ImportedRules" },
);
