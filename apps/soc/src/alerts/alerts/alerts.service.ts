import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES, type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import { chooseSite } from "../../foundation/caller/choose-site.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { CheckedPage } from "../../foundation/lists/keyset.ts";
import { requireMatch } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import {
  type Alert,
  type AlertRow,
  applyAlertPatch,
  buildAlert,
  fingerprintOf,
  linkFields,
  type NewAlert,
  siteFingerprintOf,
  statusFields,
} from "./alert.ts";
import type { AlertChanges } from "./alert-changes.ts";
import { toSelection } from "./alert-filters.ts";
import { type AlertObservable, listObservables } from "./alert-observables.ts";
import type { CompileAlertQuery } from "./alert-query.ts";
import { countRepeat } from "./alert-repeat.ts";
import type { LinkedAlerts, ListAlertsQuery, PromoteRequest, Severity, UpdateAlertRequest } from "./alerts.schema.ts";
import { type AlertContext, type AlertsStore, createAlertsWriter, type NamingLogs } from "./alerts.store.ts";
import { createReportTurns } from "./report-turns.ts";

export interface UndoableChanges {
  /** Stores the previous values of one alert, so that the same caller can undo the update. */
  remember(
    tx: Tx,
    caller: Caller,
    alert_id: string,
    update: () => Promise<Alert>,
  ): Promise<{ alert: Alert; change_id: string }>;
}

/** What alerts need from cases. */
export interface CasesOfAlerts {
  /** Opens a case and links the alerts to it. With `areLinked`, the caller links them. */
  open(tx: Tx, caller: Caller, opened: NewCase, areLinked?: boolean): Promise<CaseOfAlert>;
  /**
   * Returns the case, locked against deletion until the transaction ends; undefined if the scope does not contain it.
   */
  find(tx: Tx, scope: Scope, case_id: string): Promise<CaseOfAlert | undefined>;
  /** Transfers a case that an agent opened to this person; undefined if it already belongs to a person. */
  adopt?(
    tx: Tx,
    caller: Caller,
    case_id: string,
    fields: { description?: string; assignee?: string | null },
  ): Promise<CaseOfAlert | undefined>;
  /** Adds an entry to the timeline of the case; throws if the case is not in the caller's scope. */
  note(tx: Tx, caller: Caller, case_id: string, action: string): Promise<void>;
}

export interface NewCase {
  title: string;
  severity: Severity;
  description: string;
  assignee: string | null;
  alert_ids: string[];
  mitre_techniques: string[];
  observables: AlertObservable[];
  template_id?: string;
}

export interface CaseOfAlert {
  id: string;
  status: string;
  /** If set, the case was merged and its alerts are in this case. */
  merged_into?: string | null;
}

type JudgedAlert = Pick<Alert, "id" | "rule_id" | "case_id" | "verdict">;

/** Passes verdicts on alerts to the rules that raised them. */
export interface VerdictsOfAlerts {
  recordVerdicts(tx: Tx, caller: Caller, alerts: readonly JudgedAlert[]): Promise<void>;
}

export interface AlertsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: AlertsStore; showcase: AlertsStore };
  changes: AlertChanges;
  cases: CasesOfAlerts;
  verdicts?: VerdictsOfAlerts;
  compileQuery: CompileAlertQuery;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
/** The alert of a report: a new one, or an existing one, which the report may have reopened. */
export interface ReportResult {
  alert: Alert;
  isNew: boolean;
  isReopened: boolean;
}

export type AlertsService = ReturnType<typeof createAlertsService>;

export function createAlertsService({
  runtime,
  stores,
  changes,
  cases,
  verdicts,
  compileQuery,
  audit,
  clock,
  ids,
}: AlertsServiceDeps) {
  const inTurn = createReportTurns();

  async function get(store: AlertsStore, scope: Scope, alert_id: string): Promise<Alert> {
    const alert = await store.find(scope, alert_id);
    if (!alert) throw notFound("alert", alert_id);
    return alert;
  }

  async function update(tx: Tx, caller: Caller, alert: Alert, patch: UpdateAlertRequest): Promise<Alert> {
    const fields = applyAlertPatch(alert, patch, caller.username, clock.now());
    const updated = await changes.change(tx, caller, "alert.updated", alert, fields);
    if (updated.verdict !== alert.verdict) await verdicts?.recordVerdicts(tx, caller, [updated]);
    return updated;
  }

  /** Locks the alert first, then its case, as everywhere else, to avoid deadlocks. */
  async function lockWithCase(tx: Tx, caller: Caller, alert_id: string) {
    const scope = toScope(caller);
    const alert = await changes.lockOne(tx, scope, alert_id);
    if (alert.case_id === null) return { alert, current: undefined };
    const current = await cases.find(tx, scope, alert.case_id);
    // An alert must not leave a case that the caller cannot see.
    if (!current && caller.sites) throw new Problem("conflict", `alert '${alert_id}' is in a case of other sites`);
    return { alert, current };
  }

  /** Returns the case to which alerts are linked. */
  async function findTarget(tx: Tx, caller: Caller, case_id: string): Promise<CaseOfAlert> {
    const target = await cases.find(tx, toScope(caller), case_id);
    if (!target) throw notFound("case", case_id);
    if (!target.merged_into) return target;
    throw new Problem("conflict", `case '${case_id}' was merged into '${target.merged_into}'`, { code: "case_merged" });
  }

  /** Stores a report as a new alert, or counts it on the existing alert with the same fingerprint. */
  async function raise(tx: Tx, caller: Caller, proposed: AlertRow): Promise<ReportResult> {
    const writer = createAlertsWriter(tx);
    const { site, fingerprint } = proposed;
    // Other callers may have stored this finding of the site with or without the site in its fingerprint.
    const other = [fingerprintOf(proposed), siteFingerprintOf(proposed)].find((each) => each !== fingerprint);
    const found = other !== undefined && site !== null && (await writer.lockAtSite({ fingerprint, other, site }));
    const inserted = found ? undefined : await writer.insert(proposed);
    if (inserted) {
      await recordReport(tx, caller, "alert.created", inserted);
      return { alert: inserted, isNew: true, isReopened: false };
    }
    const known = found || (await writer.lockSame(fingerprint));
    const { fields, isReopened } = countRepeat(known, proposed);
    const alert = await writer.update(known.id, fields);
    await recordReport(tx, caller, isReopened ? "alert.reopened" : "alert.repeated", alert);
    return { alert, isNew: false, isReopened };
  }

  function propose(caller: Caller, reported: NewAlert): AlertRow {
    requireReport(reported);
    const site = chooseSite(toScope(caller), reported.site);
    return buildAlert(site === undefined ? reported : { ...reported, site }, ids.next(), clock.now());
  }

  async function recordReport(tx: Tx, { username: actor }: Caller, action: string, alert: Alert): Promise<void> {
    const { id, title, source, severity, status, occurrence_count, reopened_count, suppressed_since_verdict } = alert;
    await audit.record(tx, {
      actor,
      action,
      subject_type: "alert",
      subject_id: id,
      details: { title, source, severity, status, occurrence_count, reopened_count, suppressed_since_verdict },
    });
  }

  return {
    /** `me` needs a caller. */
    async list(scope: Scope, query: ListAlertsQuery, caller?: Caller): Promise<CheckedPage<Alert>> {
      requireStorable(query);
      return (await runtime.choose(stores)).list(scope, toSelection(query, compileQuery, caller?.username));
    },

    async get(scope: Scope, alert_id: string): Promise<Alert> {
      return get(await runtime.choose(stores), scope, alert_id);
    },

    /** Returns the alerts that are in the scope. */
    async filter(scope: Scope, alert_ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (scope === ALL_SITES) return new Set(alert_ids);
      return new Set(await (await runtime.choose(stores)).filter(scope, alert_ids));
    },

    async context(scope: Scope, alert_id: string): Promise<AlertContext> {
      const store = await runtime.choose(stores);
      return store.findRelated(scope, await get(store, scope, alert_id));
    },

    async findNaming(scope: Scope, host: string, log_ids: readonly string[]): Promise<NamingLogs[]> {
      return log_ids.length === 0 ? [] : (await runtime.choose(stores)).findNaming(scope, host, log_ids);
    },

    /** Runs the work for a report while no other request of this process handles the same finding. */
    inTurn: <Result>(report: NewAlert, work: () => Promise<Result>): Promise<Result> =>
      inTurn(fingerprintOf(report), work),

    /** Locks the alerts that repeat these reports, for a transaction that creates several alerts. */
    async lockRepeated(tx: Tx, reports: readonly NewAlert[]): Promise<void> {
      const fingerprints = reports.flatMap((report) => [fingerprintOf(report), siteFingerprintOf(report)]);
      await createAlertsWriter(tx).lockFingerprints([...new Set(fingerprints)]);
    },

    /** Handles a report of a caller. The fingerprint omits the site if the caller has all sites. */
    async report(tx: Tx, caller: Caller, reported: NewAlert): Promise<ReportResult> {
      const proposed = propose(caller, reported);
      const { status = proposed.status } = reported;
      const fields = statusFields(proposed, status, caller.username, clock.now());
      const fingerprint = caller.sites ? proposed.fingerprint : fingerprintOf(proposed);
      return raise(tx, caller, { ...proposed, ...fields, fingerprint });
    },

    /** Creates an alert of the platform for records of one site: the same finding at two sites is two alerts. */
    async create(tx: Tx, caller: Caller, found: NewAlert): Promise<ReportResult> {
      const proposed = propose(caller, found);
      if (proposed.site === null) await createAlertsWriter(tx).separate(proposed);
      return raise(tx, caller, proposed);
    },

    async update(
      tx: Tx,
      caller: Caller,
      alert_id: string,
      patch: UpdateAlertRequest,
      ifMatch?: string,
    ): Promise<Alert> {
      requirePatch(patch);
      const alert = await changes.lockOne(tx, toScope(caller), alert_id);
      requireMatch(ifMatch, alert);
      return update(tx, caller, alert, patch);
    },

    /** Closes an alert whose cause has ended. An alert that a person works on or has finished does not change. */
    async closeByItself(tx: Tx, caller: Caller, alert_id: string, resolution: string): Promise<void> {
      const alert = await changes.lockOne(tx, toScope(caller), alert_id);
      if (alert.status !== "new" && alert.status !== "triaged") return;
      // Only a person acknowledges an alert.
      const fields = { status: "closed", resolved_at: clock.now(), resolution } as const;
      await changes.change(tx, caller, "alert.updated", alert, fields);
    },

    async promote(tx: Tx, caller: Caller, alert_id: string, request: PromoteRequest): Promise<CaseOfAlert> {
      requireStorable(request);
      const { alert, current } = await lockWithCase(tx, caller, alert_id);
      if (current && current.status !== "resolved" && current.status !== "closed") {
        const { template_id: _, ...fields } = request;
        const adopted = await cases.adopt?.(tx, caller, current.id, fields);
        if (adopted) {
          const investigating = statusFields(alert, "investigating", caller.username, clock.now());
          await changes.change(tx, caller, "alert.promoted", alert, investigating);
          return adopted;
        }
        throw new Problem("conflict", `alert '${alert_id}' is in case '${current.id}', which is ${current.status}`);
      }
      const { description = alert.description ?? "", assignee = alert.assignee, template_id } = request;
      const { title, severity, mitre_techniques } = alert;
      const observables = listObservables(alert);
      const promoted = {
        ...{ title, severity, description, assignee, alert_ids: [alert.id], mitre_techniques, observables },
        ...(template_id !== undefined && { template_id }),
      };
      const opened = await cases.open(tx, caller, promoted, true);
      if (current) await cases.note(tx, caller, current.id, `moved alert ${alert.id} to case ${opened.id}`);
      const fields = statusFields(alert, "investigating", caller.username, clock.now());
      await changes.change(tx, caller, "alert.promoted", alert, { ...fields, case_id: opened.id });
      return opened;
    },

    /** Links the alert to the case. An alert of another case moves, and the timelines of both cases record it. */
    async linkToCase(tx: Tx, caller: Caller, alert_id: string, case_id: string): Promise<Alert> {
      const { alert, current } = await lockWithCase(tx, caller, alert_id);
      const target = await findTarget(tx, caller, case_id);
      if (current?.id === target.id) return alert;
      if (current) await cases.note(tx, caller, current.id, `moved alert ${alert.id} to case ${target.id}`);
      await cases.note(tx, caller, target.id, `linked alert ${alert.id}`);
      const fields = linkFields(alert, target.id, caller.username, clock.now());
      return changes.change(tx, caller, "alert.linked", alert, fields);
    },

    /** Links all alerts or none. Alerts of other cases move, and the timelines of all these cases record it. */
    async linkManyToCase(tx: Tx, caller: Caller, case_id: string, alert_ids: readonly string[]): Promise<LinkedAlerts> {
      const alerts = await changes.lock(tx, toScope(caller), [...new Set(alert_ids)]);
      const target = await findTarget(tx, caller, case_id);
      const linked = alerts.filter((alert) => alert.case_id !== target.id).map(({ id }) => id);
      if (linked.length === 0) return { linked: 0, moved: 0 };
      const moved = await changes.link(tx, caller, linked, target.id);
      for (const from of new Set(moved.map(({ from_case_id }) => from_case_id))) {
        const left = moved.filter(({ from_case_id }) => from_case_id === from).map(({ alert_id }) => alert_id);
        await cases.note(tx, caller, from, `moved ${nameAlerts(left)} to case ${target.id}`);
      }
      await cases.note(tx, caller, target.id, `linked ${nameAlerts(linked)}`);
      return { linked: linked.length, moved: moved.length };
    },

    /** Unlinks the alert and sets it to triaged. */
    async unlinkFromCase(tx: Tx, caller: Caller, case_id: string, alert_id: string): Promise<Alert> {
      const { alert, current } = await lockWithCase(tx, caller, alert_id);
      const target = await cases.find(tx, toScope(caller), case_id);
      if (!target) throw notFound("case", case_id);
      if (current?.id !== target.id) throw notFound("alert", alert_id);
      await cases.note(tx, caller, target.id, `unlinked alert ${alert.id}`);
      return changes.unlink(tx, caller, alert);
    },
  };
}

const MAX_NAMED = 20;

function nameAlerts(ids: readonly string[]): string {
  const [id, ...more] = ids;
  if (more.length === 0) return `alert ${id}`;
  const rest = ids.length > MAX_NAMED ? " and others" : "";
  return `${ids.length} alerts: ${ids.slice(0, MAX_NAMED).join(", ")}${rest}`;
}

function requireReport(report: NewAlert): void {
  for (const field of ["title", "source"] as const) {
    if (report[field].trim() === "") throw invalidField(field, "must not be blank");
  }
  requireStorable(report);
}

function requirePatch(patch: UpdateAlertRequest): void {
  if (Object.keys(patch).length === 0) {
    throw invalidField("body", "must have status, assignee, severity, verdict, resolution or tags");
  }
  requireStorable(patch);
}
