import Type, { type Static } from "typebox";
import { ALERT_STATUSES, SEVERITIES } from "../alerts/alerts/alerts.schema.ts";
import { AGENT_NAMES, type AgentId } from "../assistants/agents/agent-names.ts";
import { TASK_STATUSES } from "../cases/cases/case-items.schema.ts";
import { CASE_STATUSES } from "../cases/cases/cases.schema.ts";
import { TLP_LEVELS } from "../detection/iocs/iocs.schema.ts";
import { CreateRuleRequest } from "../detection/rules/rules.schema.ts";
import { VERDICTS } from "../devices/registry/devices.schema.ts";
import { ROLES } from "../foundation/caller/permissions.schema.ts";
import records from "./seed.json" with { type: "json" };
import { ANALYST_NAMES, CASE_KEYS, SITE_KEYS } from "./story.ts";

const closed = { additionalProperties: false } as const;
const text = Type.String({ minLength: 1 });
const texts = Type.Array(text);
const minutes = Type.Number({ minimum: 0 });
const optional = Type.Optional;
const Severity = Type.Enum([...SEVERITIES]);
const Site = Type.Enum([...SITE_KEYS]);
const Analyst = Type.Enum([...ANALYST_NAMES]);
const Actor = Type.Enum([...ANALYST_NAMES, "TriageAgent", "CorrelationAgent", "FirmwareAgent", "ResponseAgent"]);
const Case = Type.Enum([...CASE_KEYS]);
const Agent = Type.Unsafe<AgentId>(Type.Enum(Object.keys(AGENT_NAMES)));
const Values = Type.Record(Type.String(), Type.Unknown());
const by = { minutesAgo: minutes, by: Analyst };

/** The fields that identify the participants of a log. */
const participants = {
  host: optional(text),
  user: optional(text),
  src_ip: optional(text),
  dst_ip: optional(text),
  src_port: optional(Type.Integer()),
  dst_port: optional(Type.Integer()),
  process: optional(text),
  attributes: optional(Values),
};

/** One log, or several that differ in time and in the participants of `cast`, which are used in rotation. */
const LogFact = Type.Object(
  {
    ...{ minutesAgo: minutes, source: text, severity: Severity, site: Site, message: text, ...participants },
    ...{ event_code: optional(text), action: optional(text), outcome: optional(text) },
    ...{ times: optional(Type.Integer()), everySeconds: optional(Type.Number()) },
    cast: optional(Type.Array(Type.Object(participants, closed))),
  },
  closed,
);
export type LogFact = Static<typeof LogFact>;

const AlertFact = Type.Object(
  {
    ...{ minutesAgo: minutes, title: text, description: optional(text), source: text, severity: Severity },
    ...{ status: Type.Enum([...ALERT_STATUSES]), site: Site, host: optional(text), user: optional(text) },
    ...{ iocs: texts, mitre: texts, case: optional(Case), resolution: optional(text) },
    // When it was last seen; absent if it was seen once.
    ...{ occurrences: optional(Type.Integer()), lastMinutesAgo: optional(minutes) },
  },
  closed,
);
export type AlertFact = Static<typeof AlertFact>;

/** The first entry of `custody` registers the evidence: actor, location and optional notes. */
const EvidenceFact = Type.Object(
  {
    ...{ name: text, evidence_type: text, location: text },
    custody: Type.Array(Type.Tuple([minutes, Actor, text, Type.Union([text, Type.Null()])])),
  },
  closed,
);
export type EvidenceFact = Static<typeof EvidenceFact>;

/** Each list is in chronological order. */
const CaseFact = Type.Object(
  {
    ...{ key: Case, title: text, description: text, severity: Severity, status: Type.Enum([...CASE_STATUSES]) },
    ...{ assignee: Analyst, requires_human_approval: Type.Boolean(), openedMinutesAgo: minutes },
    timeline: Type.Array(Type.Tuple([minutes, Actor, text])),
    observables: Type.Array(Type.Tuple([minutes, text, text, text, texts])),
    evidence: Type.Array(EvidenceFact),
    comments: Type.Array(Type.Tuple([minutes, Actor, text])),
    tasks: Type.Array(Type.Tuple([minutes, text, Type.Enum([...TASK_STATUSES]), Analyst])),
  },
  closed,
);
export type CaseFact = Static<typeof CaseFact>;

const IocFact = Type.Object(
  {
    ...{ value: text, confidence: Type.Integer(), severity: Severity, source: text, tags: texts },
    // Days of validity; absent if it never expires.
    ...{ tlp: Type.Enum([...TLP_LEVELS]), minutesAgo: minutes, days: optional(Type.Integer()) },
  },
  closed,
);

/** `minutesAgo`: when it was last attested or did not answer. */
const DeviceFact = Type.Object(
  {
    ...{ name: text, type: Type.Enum(["player", "gateway"]), site: Site, verdict: Type.Enum([...VERDICTS]) },
    ...{ minutesAgo: minutes, isQuarantined: optional(Type.Boolean()), hasUnknownFirmware: optional(Type.Boolean()) },
  },
  closed,
);
export type DeviceFact = Static<typeof DeviceFact>;

const EndpointFact = Type.Object(
  {
    ...{ hostname: text, ip: text, os: text, site: Site, risk: Type.Integer() },
    ...{ minutesAgo: minutes, isIsolated: optional(Type.Boolean()) },
  },
  closed,
);

const EdrActionFact = Type.Object(
  {
    ...{ minutesAgo: minutes, hostname: text, action: Type.Enum(["scan", "isolate"]) },
    ...{ requested_by: Analyst, reason: text },
  },
  closed,
);

const StepFact = Type.Object(
  {
    ...{ id: text, name: text, action: text, status: optional(Type.Enum(["skipped", "failed", "timeout"])) },
    ...{ result: optional(Values), error: optional(text) },
  },
  closed,
);

/** `alert` is the title of the triggering alert; `steps` lists the started steps. */
const ExecutionFact = Type.Object(
  {
    ...{ ...by, playbook: Type.Tuple([text, text, Type.Integer()]), alert: text, parameters: Values },
    ...{ status: Type.Enum(["completed", "failed", "timeout", "cancelled"]), steps_total: Type.Integer() },
    steps: Type.Array(StepFact),
  },
  closed,
);
export type ExecutionFact = Static<typeof ExecutionFact>;

const HuntFact = Type.Object(
  {
    ...{ ...by, title: text, description: text, query: text, source: optional(text), tags: texts },
    sharing_mode: optional(Type.Literal("roles")),
    shared_with_roles: optional(Type.Array(Type.Enum([...ROLES]))),
  },
  closed,
);

const ViewFact = Type.Object({ by: Analyst, page: Type.Enum(["alerts", "cases"]), name: text, state: Values }, closed);

/** `alert` is the title of the investigated alert. Without `by`, the alert itself started the investigation. */
const InvestigationFact = Type.Object(
  {
    ...{ minutesAgo: minutes, seconds: Type.Integer(), alert: text, by: optional(Analyst), confidence: Type.Number() },
    ...{ verdict: Type.Enum(["malicious", "benign", "inconclusive"]), reasons: text, findings: texts, actions: texts },
    agents: Type.Array(Type.Tuple([Agent, text])),
  },
  closed,
);

const automation = { name: text, condition: text, playbook_id: text, enabled: Type.Boolean() };

const AutomationFact = Type.Object(
  {
    ...{ ...by, ...automation, cooldown_minutes: Type.Integer(), fired_24h: Type.Integer() },
    firedMinutesAgo: Type.Union([minutes, Type.Null()]),
  },
  closed,
);

/** `minutesAgo`: when it was last active. */
const AgentFact = Type.Object(
  {
    ...{ id: Agent, sites: Type.Array(Site), minutesAgo: minutes, runs_24h: Type.Integer(), error: optional(text) },
    ...{ status: optional(Type.Enum(["error", "disabled"])), instances: optional(Type.Integer()) },
  },
  closed,
);

const ReportFact = Type.Object(
  {
    ...{ ...by, title: text, report_type: Type.Enum(["investigation", "executive", "compliance"]) },
    ...{ case: Type.Union([Case, Type.Null()]), format: Type.Enum(["markdown", "html", "pdf", "json"]) },
  },
  closed,
);

/**
 * The facts of the showcase: one intrusion in chronological order. All other fields are derived from them. The ids of
 * records depend on their position in these lists, so new records must be added at the end.
 */
export const Seed = Type.Object(
  {
    alerts: Type.Array(AlertFact),
    // By the title of the alert.
    alert_logs: Type.Array(Type.Object({ alert: text, logs: Type.Array(LogFact) }, closed)),
    everyday_logs: Type.Array(LogFact),
    cases: Type.Array(CaseFact),
    rules: Type.Array(Type.Object({ ...by, ...CreateRuleRequest.properties }, closed)),
    iocs: Type.Array(IocFact),
    devices: Type.Array(DeviceFact),
    endpoints: Type.Array(EndpointFact),
    edr_actions: Type.Array(EdrActionFact),
    executions: Type.Array(ExecutionFact),
    hunts: Type.Array(HuntFact),
    views: Type.Array(ViewFact),
    investigations: Type.Array(InvestigationFact),
    // Users can view and toggle them in dummy mode without any effect.
    soar_rules: Type.Array(Type.Object({ ...automation, description: text }, closed)),
    automations: Type.Array(AutomationFact),
    agents: Type.Array(AgentFact),
    reports: Type.Array(ReportFact),
  },
  closed,
);

type Seed = Static<typeof Seed>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- seed.test.ts compares the file with the schema
export const SEED = records as unknown as Seed;
