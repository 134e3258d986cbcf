import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";

const INVESTIGATION_STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;
const TRIGGERS = ["request", "alert"] as const;
const VERDICTS = ["malicious", "benign", "inconclusive"] as const;
const STEP_KINDS = ["reader", "tool", "model", "clock", "seed"] as const;
export type StepKind = (typeof STEP_KINDS)[number];
/** How an agent's part ended, or why it did not run. */
const PART_STATUSES = [
  "running",
  "completed",
  "failed",
  "cancelled",
  "parked",
  "disabled",
  "busy",
  "elsewhere",
] as const;

const Status = Type.Enum([...INVESTIGATION_STATUSES], { title: "InvestigationStatus" });
const Verdict = Type.Enum([...VERDICTS], { title: "InvestigationVerdict" });
const Severity = Type.Enum([...SEVERITIES], { title: "Severity" });
const AnyFields = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

const text = (maxLength: number) => Type.Union([Type.String({ maxLength }), Type.Null()]);
const texts = (maxItems: number, maxLength: number) =>
  Type.Union([Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems }), Type.Null()]);

/** The fields of the context that the platform reads; others are stored with the investigation. */
export const AlertContext = Type.Object(
  {
    alert_id: Type.Optional(Id),
    title: Type.Optional(text(500)),
    description: Type.Optional(text(20_000)),
    source: Type.Optional(text(100)),
    host: Type.Optional(text(255)),
    user: Type.Optional(text(255)),
    site: Type.Optional(text(100)),
    log_ids: Type.Optional(texts(100, 100)),
    iocs: Type.Optional(texts(1000, 2048)),
    mitre_techniques: Type.Optional(texts(100, 50)),
    tags: Type.Optional(texts(50, 100)),
  },
  { title: "AlertContext", additionalProperties: true },
);
export type AlertContext = Static<typeof AlertContext>;

export const InvestigateRequest = Type.Object(
  {
    alert_context: Type.Unsafe<string | Record<string, unknown>>({
      type: ["string", "object"],
      additionalProperties: true,
      description: "a text, or an object with the fields of an alert; alert_id names an alert of the platform",
    }),
    has_cps_assets: Type.Optional(Type.Boolean()),
    severity: Type.Optional(Severity),
  },
  { title: "InvestigateRequest", additionalProperties: false },
);
export type InvestigateRequest = Static<typeof InvestigateRequest>;

const AgentCallBody = Type.Object(
  {
    tool: Type.String(),
    status: Type.String(),
    error_code: TextOrNull,
  },
  { title: "AgentCall" },
);

export const AgentPartBody = Type.Object(
  {
    agent_id: Type.String(),
    name: Type.String(),
    run_id: Type.Union([Type.String(), Type.Null()], { description: "null for an agent that did not run" }),
    status: Type.Enum([...PART_STATUSES]),
    calls: Type.Array(AgentCallBody),
  },
  { title: "AgentPart" },
);
export type AgentPart = Static<typeof AgentPartBody>;

const ClaimBody = Type.Object(
  { log_id: Type.String(), field: Type.String(), value: Type.String() },
  { title: "FindingClaim" },
);

const FindingBody = Type.Object(
  {
    statement: Type.String(),
    evidence_ids: Type.Array(Type.String()),
    claims: Type.Array(ClaimBody),
    is_supported: Type.Boolean({ description: "false if an event does not contain the claims of the statement" }),
    unsupported: Type.Array(Type.String()),
    model: Type.Optional(Type.String({ description: "the model that wrote it; absent for findings of the platform" })),
  },
  { title: "Finding" },
);
export type StatedFinding = Static<typeof FindingBody>;

export const InvestigationBody = Type.Object(
  {
    id: Type.String(),
    investigation_id: Type.String(),
    status: Status,
    trigger: Type.Enum([...TRIGGERS]),
    alert_id: TextOrNull,
    severity: Severity,
    has_cps_assets: Type.Boolean(),
    requested_by: Type.String(),
    verdict: Type.Union([Verdict, Type.Null()]),
    confidence: Type.Union([Type.Number(), Type.Null()]),
    summary: TextOrNull,
    agents: Type.Array(AgentPartBody),
    recommended_actions: Type.Array(Type.String()),
    mitre_techniques: Type.Array(Type.String()),
    case_id: TextOrNull,
    error: Type.Union([Type.String(), Type.Null()], { description: "why it failed, was cancelled or was dropped" }),
    created_at: Time,
    started_at: TimeOrNull,
    ended_at: TimeOrNull,
  },
  { title: "Investigation" },
);
export type InvestigationBody = Static<typeof InvestigationBody>;

export const InvestigationDetailBody = Type.Object(
  {
    ...InvestigationBody.properties,
    findings: Type.Array(FindingBody),
    alert_context: AnyFields,
  },
  { title: "InvestigationDetail" },
);
export type InvestigationDetailBody = Static<typeof InvestigationDetailBody>;

export const ListInvestigationsQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Status),
  verdict: Type.Optional(Verdict),
  alert_id: Type.Optional(Id),
  case_id: Type.Optional(Id),
  agent_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export type ListInvestigationsQuery = Static<typeof ListInvestigationsQuery>;

export const InvestigationPath = Type.Object({ id: Type.String({ maxLength: 200 }) });

const StepBody = Type.Object(
  {
    agent_id: Type.String(),
    sequence: Type.Integer(),
    kind: Type.Enum([...STEP_KINDS]),
    name: Type.String(),
    arguments: Type.String({ description: "JSON" }),
    result: Type.String({ description: "JSON: {value} or {problem}" }),
    is_cut: Type.Boolean(),
    error_code: TextOrNull,
    at: Time,
  },
  { title: "InvestigationStep" },
);

export const TranscriptBody = Type.Object(
  {
    investigation: InvestigationDetailBody,
    steps: Type.Array(StepBody),
    is_expired: Type.Boolean({ description: "true if the steps were deleted, 90 days after the end" }),
  },
  { title: "InvestigationTranscript" },
);

/** The waiting and running investigations. */
export const QueueBody = Type.Object(
  {
    queued: Type.Integer(),
    running: Type.Integer(),
    width: Type.Integer({
      description: "maximum number of running investigations; 0 while SupervisorAgent or TriageAgent is disabled",
    }),
    capacity: Type.Integer({ description: "maximum number of waiting automatic investigations" }),
    dropped_24h: Type.Integer(),
  },
  { title: "InvestigationQueue" },
);
export type QueueBody = Static<typeof QueueBody>;
