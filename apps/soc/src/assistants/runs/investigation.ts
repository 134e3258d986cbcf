import { invalidField } from "@kit/problem";
import Value from "typebox/value";
import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import { type Alert, type AlertRow, buildAlert } from "../../alerts/module.ts";
import { type Caller, isCallerAllowed } from "../../foundation/caller/caller.ts";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import { newestFirst } from "../../foundation/lists/order.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { findMisfits } from "../../response/module.ts";
import type { RecordedStep } from "./recording.ts";
import { isRecord, measureBytes } from "./recording-limits.ts";
import {
  AlertContext,
  type InvestigateRequest,
  type InvestigationBody,
  type InvestigationDetailBody,
} from "./runs.schema.ts";

export type Investigation = InvestigationBody;
export type InvestigationDetail = InvestigationDetailBody;

/** An investigation of the showcase with its recording. */
export interface ShownInvestigation extends InvestigationDetail {
  steps: RecordedStep[];
}

/** Includes the columns that only the platform needs. */
export interface InvestigationRow extends Omit<InvestigationDetail, "id"> {
  event_id: string | null;
  /** The caller at the time of the request. */
  caller: Caller;
  was_dropped: boolean;
  due_at: Date | null;
  continuation: number;
  handed_out_at: Date | null;
  owner: string | null;
  failures: number;
}

export const NEWEST_FIRST = newestFirst("created_at", "investigation_id");

const MAX_CONTEXT_BYTES = 65_536;
const MAX_CONTEXT_DEPTH = 20;
const MAX_TITLE = 500;
const MAX_DESCRIPTION = 20_000;

/** The platform itself. No user can have this name. */
export const PLATFORM_CALLER: Caller = { kind: "user", username: "agent:SupervisorAgent", role: "agent" };

/** Freezes the caller's current permissions against later changes of the role. */
export function freezeCaller(caller: Caller): Caller {
  const { kind, username, role, sites } = caller;
  const known = { kind, username, role, ...(sites && { sites }) };
  return { ...known, scopes: PERMISSIONS.filter((each) => isCallerAllowed(caller, [each])) };
}

/**
 * Parses the context of a request. The document calls it a text: the JSON of the object, the id of an alert, or free
 * text.
 */
export function parseContext(given: InvestigateRequest["alert_context"]): AlertContext {
  const context = typeof given === "string" ? readText(given) : given;
  checkContext(context);
  const [misfit] = findMisfits(AlertContext, context);
  if (misfit) throw invalidField(["alert_context", ...misfit.path].join("."), misfit.message);
  return Value.Parse(AlertContext, context);
}

function readText(text: string): Record<string, unknown> {
  if (isUuid(text)) return { alert_id: text };
  const [line = ""] = text.trim().split("\n");
  const said = { title: line.slice(0, MAX_TITLE), description: text.slice(0, MAX_DESCRIPTION) };
  if (!text.trimStart().startsWith("{")) return said;
  try {
    const read: unknown = JSON.parse(text);
    return isRecord(read) ? read : said;
  } catch {
    // A free text that starts with a brace.
    return said;
  }
}

function checkContext(alert_context: Record<string, unknown>): void {
  if (measureDepth(alert_context) > MAX_CONTEXT_DEPTH) {
    throw invalidField("alert_context", `must not be nested deeper than ${MAX_CONTEXT_DEPTH} levels`);
  }
  requireStorable({ alert_context });
  if (measureBytes(alert_context) > MAX_CONTEXT_BYTES) {
    throw invalidField("alert_context", `must have at most ${MAX_CONTEXT_BYTES} bytes`);
  }
}

/** Stops at one more than the limit, so that a deeper value does not exhaust the stack. */
function measureDepth(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_CONTEXT_DEPTH) return depth;
  return Math.max(depth + 1, ...Object.values(value).map((each) => measureDepth(each, depth + 1)));
}

export interface NewInvestigation {
  investigation_id: string;
  request: Omit<InvestigateRequest, "alert_context"> & { alert_context: AlertContext };
  /** The stored alert of the investigation. */
  alert: Pick<Alert, "id" | "severity"> | undefined;
  event_id: string | null;
  caller: Caller;
  now: Date;
}

export function buildInvestigation(made: NewInvestigation): InvestigationRow {
  const { investigation_id, request, alert, event_id, caller, now } = made;
  const severity: Severity = request.severity ?? alert?.severity ?? "medium";
  return {
    ...{ investigation_id, status: "queued", trigger: event_id === null ? "request" : "alert", event_id },
    ...{ alert_id: alert?.id ?? null, alert_context: request.alert_context, severity },
    ...{ has_cps_assets: request.has_cps_assets ?? false, requested_by: caller.username, caller: freezeCaller(caller) },
    ...{ verdict: null, confidence: null, summary: null, findings: [], mitre_techniques: [], recommended_actions: [] },
    ...{ agents: [], case_id: null, error: null, was_dropped: false },
    ...{ created_at: now, started_at: null, ended_at: null },
    ...{ due_at: now, continuation: 0, handed_out_at: null, owner: null, failures: 0 },
  };
}

/** Converts a context without a stored alert to the form of an alert. Its id is that of the investigation. */
export function toAlert(
  { investigation_id, severity }: Pick<InvestigationRow, "investigation_id" | "severity">,
  context: AlertContext,
  now: Date,
): Alert {
  const { title, source, description, host, user, site, log_ids, iocs, mitre_techniques, tags } = context;
  const report = {
    title: title || "Investigation without a title",
    source: source || "request",
    severity,
    ...(description && { description }),
    ...(host && { host }),
    ...(user && { user }),
    ...(site && { site }),
    ...(log_ids && { log_ids }),
    ...(iocs && { iocs }),
    ...(mitre_techniques && { mitre_techniques }),
    ...(tags && { tags }),
  };
  return withoutColumns(buildAlert(report, investigation_id, now));
}

/** Returns the alert of a row without the columns that no answer contains. */
export function withoutColumns({
  fingerprint: _,
  reported_severity: __,
  filter_keys: ___,
  names: ____,
  ...alert
}: AlertRow): Alert {
  return alert;
}

const INSTANTS = ["first_seen", "last_seen", "created_at", "updated_at"] as const;
const OPTIONAL_INSTANTS = [
  ...(["event_first_at", "event_last_at", "reopened_at", "acknowledged_at"] as const),
  ...(["resolved_at", "verdict_at"] as const),
];

/** Converts the JSON of an alert back. */
export function reviveAlert(alert: Alert): Alert {
  const revived = { ...alert };
  for (const name of INSTANTS) revived[name] = new Date(alert[name]);
  for (const name of OPTIONAL_INSTANTS) {
    const value = alert[name];
    revived[name] = value === null ? null : new Date(value);
  }
  return revived;
}

export function isOver({ status }: Pick<Investigation, "status">): boolean {
  return status !== "queued" && status !== "running";
}
