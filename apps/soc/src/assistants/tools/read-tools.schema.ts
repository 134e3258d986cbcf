import Type from "typebox";
import { AlertBody, ListAlertsQuery } from "../../alerts/alerts/alerts.schema.ts";
import { CaseBody, CaseDetailBody, ListCasesQuery } from "../../cases/cases/cases.schema.ts";
import { IOC_TYPES, IocBody } from "../../detection/iocs/iocs.schema.ts";
import { DeviceBody } from "../../devices/registry/devices.schema.ts";
import { TextOrNull } from "../../foundation/schema/fields.schema.ts";
import { ProcessBody } from "../../logs/processes/processes.schema.ts";
import {
  FilterText,
  LogBody,
  LogSeverityWord,
  LogWindowQuery,
  PartialBody,
  QueryText,
} from "../../logs/search/logs.schema.ts";

// Inputs and answers of the tools that read records and logs.

const closed = { additionalProperties: false } as const;
const completed = { status: Type.Literal("completed") };
const RecordId = Type.String({ minLength: 1, maxLength: 100 });
const limitOf = (standard: number, maximum: number) => Type.Integer({ default: standard, minimum: 1, maximum });
const window = LogWindowQuery.properties;
const total = { total: Type.Integer(), total_is_estimate: Type.Optional(Type.Boolean()) };
const logTotal = { ...total, ...PartialBody };

const { raw: _, ...logFields } = LogBody.properties;
/** A log without its original, with shortened texts. */
const ToolLog = Type.Object({ ...logFields, is_shortened: Type.Boolean() }, { title: "ToolLog" });

export const GetAlertInput = Type.Object({ alert_id: RecordId }, closed);
export const GetAlertOutput = Type.Object({ ...completed, alert: AlertBody });

export const GetCaseInput = Type.Object({ case_id: RecordId }, closed);
export const GetCaseOutput = Type.Object({ ...completed, case: CaseDetailBody });

export const GetDeviceInput = Type.Object(
  { device_id: Type.String({ minLength: 1, maxLength: 200, description: "its id or name" }) },
  closed,
);
export const GetDeviceOutput = Type.Object({ ...completed, device: DeviceBody });

const alertFilters = Type.Pick(ListAlertsQuery, ["severity", "status", "host", "user", "technique", "from", "to", "q"]);
export const ListAlertsInput = Type.Object({ ...alertFilters.properties, limit: limitOf(20, 100) }, closed);
export const ListedAlert = Type.Pick(AlertBody, [
  ...(["id", "title", "severity", "status", "source", "host", "user", "site", "rule_id", "mitre_techniques"] as const),
  ...(["occurrence_count", "first_seen", "last_seen", "case_id", "assignee"] as const),
]);
export const ListAlertsOutput = Type.Object({ ...completed, ...total, alerts: Type.Array(ListedAlert) });

const caseFilters = Type.Pick(ListCasesQuery, ["severity", "status", "assignee", "q"]);
export const ListCasesInput = Type.Object({ ...caseFilters.properties, limit: limitOf(20, 100) }, closed);
const ListedCase = Type.Omit(CaseBody, ["description"]);
export const ListCasesOutput = Type.Object({ ...completed, ...total, cases: Type.Array(ListedCase) });

export const LookupIocInput = Type.Object(
  { value: Type.String({ minLength: 1, maxLength: 2048 }), type: Type.Optional(Type.Enum([...IOC_TYPES])) },
  closed,
);
export const LookupIocOutput = Type.Object({ ...completed, found: Type.Boolean(), iocs: Type.Array(IocBody) });

export const SearchLogsInput = Type.Object(
  {
    query: Type.Optional(QueryText),
    source: Type.Optional(FilterText),
    host: Type.Optional(FilterText),
    severity: Type.Optional(LogSeverityWord),
    ...window,
    limit: limitOf(20, 100),
  },
  closed,
);
export const SearchLogsOutput = Type.Object({ ...completed, ...logTotal, logs: Type.Array(ToolLog) });

export const EntityTimelineInput = Type.Object(
  { kind: Type.Enum(["host", "user", "address"]), value: FilterText, ...window, limit: limitOf(50, 200) },
  closed,
);
export const EntityTimelineOutput = Type.Object({ ...completed, ...logTotal, events: Type.Array(ToolLog) });

export const ProcessTreeInput = Type.Object(
  {
    host: FilterText,
    process: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "a process id, a GUID or a part of the name: returns only its ancestors and descendants",
      }),
    ),
    ...window,
  },
  closed,
);
export const ProcessTreeOutput = Type.Object({
  ...completed,
  processes: Type.Array(ProcessBody),
  is_complete: Type.Boolean({ description: "false if the host has more process events than were read" }),
});

export const PrevalenceInput = Type.Object(
  {
    field: Type.String({
      pattern: "^(host|user|process|src_ip|dst_ip|event_code|action|source|attributes(\\.[A-Za-z0-9_-]+)+)$",
      maxLength: 200,
    }),
    value: FilterText,
    ...window,
  },
  closed,
);
const Counted = Type.Array(Type.Object({ name: Type.String(), events: Type.Integer() }));
export const PrevalenceOutput = Type.Object({
  ...completed,
  ...logTotal,
  sampled: Type.Integer({ description: "the number of newest events from which the lists below were counted" }),
  hosts: Counted,
  users: Counted,
  host_count: Type.Integer(),
  user_count: Type.Integer(),
  newest_at: TextOrNull,
  oldest_at: TextOrNull,
});
