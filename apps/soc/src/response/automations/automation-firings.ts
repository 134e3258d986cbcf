import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Alert, AlertsService } from "../../alerts/module.ts";
import type { AuditService, Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Permission } from "../../foundation/caller/permissions.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { type AutomationRow, type Firing, isCoolingDown, toConditionPredicate } from "./automation.ts";
import { createAutomationsWriter } from "./automations.store.ts";

export interface AutomatedStart {
  playbook_id: string;
  /** `automation:<name>`. */
  actor: string;
  alert_id: string;
  case_id: string | null;
  parameters: Record<string, unknown>;
  /** The authors of the automation and the reporters of the alert, who count as requesters. */
  requesters: readonly string[];
  /** What the person who bound the automation may do; null if an earlier release stored it. */
  permissions: readonly Permission[] | null;
  /** Whether it may start a critical playbook. */
  mayExecute: boolean;
}

/** An approval that an automation requested and that was granted. */
export interface ApprovedStart extends Pick<AutomatedStart, "playbook_id" | "actor"> {
  approval_id: string;
}

/** The part of executions that automations use; users pass the same approval gate. */
export interface ExecutionsOfAutomations {
  start(tx: Tx, request: AutomatedStart): Promise<{ execution_id: string } | { approval_id: string }>;
  /** Starts the approved playbook, once. */
  startApproved(tx: Tx, approved: ApprovedStart): Promise<void>;
}

export interface AutomationFiringsDeps {
  db: Kysely<Tables>;
  alerts: Pick<AlertsService, "get">;
  /** Finds out who reported an alert. */
  auditLog: Pick<AuditService, "list">;
  executions: ExecutionsOfAutomations;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "info">;
}
export type AutomationFirings = ReturnType<typeof createAutomationFirings>;

/** An alert with the callers who reported it. */
interface ReportedAlert {
  alert: Alert;
  reporters: readonly string[];
}

type FiringResult = Pick<Firing, "outcome" | "execution_id" | "approval_id" | "reason">;

const NOTHING: Omit<FiringResult, "outcome"> = { execution_id: null, approval_id: null, reason: null };
const KEPT_MS = 90 * 24 * 60 * 60_000;
const SWEEP_BATCH_SIZE = 1000;
const MAX_TRIES = 3;
const REPORTS = ["alert.created", "alert.repeated", "alert.reopened"];
const MAX_REPORTS = 50;
/** Permanent refusals: a retry would fail again. Other failures may be temporary and are retried. */
const FINAL: ReadonlySet<Problem["kind"]> = new Set(["invalid", "not_found", "conflict", "forbidden"]);

/** Matches new alerts against the automations and starts their playbooks. */
export function createAutomationFirings(deps: AutomationFiringsDeps) {
  const { db, alerts, auditLog, executions, audit, clock, log } = deps;

  /** Caches parsed conditions by their text. A changed condition is a new key. */
  let predicates = new Map<string, (alert: Alert) => boolean>();

  function matching(automations: readonly AutomationRow[], alert: Alert): AutomationRow[] {
    const known = predicates;
    predicates = new Map(
      automations.map(({ condition }) => [condition, known.get(condition) ?? toConditionPredicate(condition)]),
    );
    return automations.filter(({ condition }) => predicates.get(condition)?.(alert));
  }

  async function note(
    tx: Tx,
    { id, name, playbook_id }: AutomationRow,
    alert: Alert,
    fired: FiringResult,
  ): Promise<void> {
    const { id: alert_id, reopened_count } = alert;
    const firing = { automation_id: id, alert_id, reopened_count, at: clock.now(), ...fired };
    await createAutomationsWriter(tx).storeFiring(firing);
    await audit.record(tx, {
      actor: `automation:${name}`,
      action: "automation.fired",
      subject_type: "automation",
      subject_id: id,
      details: { alert_id: alert.id, playbook_id, ...fired },
    });
  }

  /** Lists the newest callers whose reports created or repeated the alert. */
  async function listReporters(alert_id: string): Promise<string[]> {
    const about = { subject_type: "alert", subject_id: alert_id, limit: MAX_REPORTS };
    const reports = await Promise.all(REPORTS.map((action) => auditLog.list({ ...about, action })));
    return [...new Set(reports.flatMap(({ items }) => items.map(({ actor }) => actor)))];
  }

  /**
   * The firing and the start share one transaction, so each opening of an alert starts an automation once, even after
   * crashes.
   */
  async function fire(tx: Tx, id: string, { alert, reporters }: ReportedAlert): Promise<void> {
    const writer = createAutomationsWriter(tx);
    const automation = await writer.lock(id);
    if (!automation?.enabled || (await writer.hasFired(id, alert))) return;
    const site = alert.site ?? "";
    if (isCoolingDown(automation, await writer.findLastFired(id, site), clock.now())) {
      return note(tx, automation, alert, { ...NOTHING, outcome: "cooling_down" });
    }
    const { name, playbook_id, parameters, authors, may_execute, permissions } = automation;
    const started = await executions.start(tx, {
      playbook_id,
      actor: `automation:${name}`,
      alert_id: alert.id,
      case_id: alert.case_id,
      parameters,
      requesters: [...authors, ...reporters],
      permissions,
      mayExecute: may_execute,
    });
    await writer.storeLastFired(id, site, clock.now());
    const outcome = "execution_id" in started ? "started" : "pending_approval";
    await note(tx, automation, alert, { ...NOTHING, ...started, outcome });
    log.info({ automation: name, alert_id: alert.id, outcome }, "automation fired");
  }

  async function refuse(tx: Tx, id: string, alert: Alert, { message }: Problem): Promise<void> {
    const writer = createAutomationsWriter(tx);
    const automation = await writer.lock(id);
    if (!automation || (await writer.hasFired(id, alert))) return;
    await note(tx, automation, alert, { ...NOTHING, outcome: "refused", reason: message });
  }

  async function fireOrRefuse({ id }: Pick<AutomationRow, "id">, reported: ReportedAlert, tries = 1): Promise<void> {
    try {
      await db.transaction().execute((tx) => fire(tx, id, reported));
    } catch (error) {
      if (!(error instanceof Problem) || !FINAL.has(error.kind)) throw error;
      // The playbook may have changed concurrently: retry with its new version.
      if (error.kind === "conflict" && tries < MAX_TRIES) return fireOrRefuse({ id }, reported, tries + 1);
      await db.transaction().execute((tx) => refuse(tx, id, reported.alert, error));
    }
  }

  return {
    /** Runs all matching automations for the alert. Idempotent: a retry runs only those that have not fired yet. */
    async consider(alert_id: string): Promise<void> {
      const automations = await createAutomationsWriter(db).listEnabled();
      if (automations.length === 0) return;
      const alert = await alerts.get(ALL_SITES, alert_id);
      const matched = matching(automations, alert);
      if (matched.length === 0) return;
      const reported = { alert, reporters: await listReporters(alert_id) };
      for (const automation of matched) await fireOrRefuse(automation, reported);
    },

    /** Starts the playbook after its approval, because an automation does not repeat its call. Idempotent. */
    async begin(approved: ApprovedStart): Promise<void> {
      try {
        await db.transaction().execute((tx) => executions.startApproved(tx, approved));
      } catch (error) {
        if (!(error instanceof Problem) || !FINAL.has(error.kind)) throw error;
        const { actor, approval_id, playbook_id } = approved;
        const details = { playbook_id, reason: error.message };
        const refusal = {
          actor,
          action: "execution.refused",
          subject_type: "approval",
          subject_id: approval_id,
          details,
        };
        await db.transaction().execute((tx) => audit.record(tx, refusal));
      }
    },

    /** Deletes one batch of old firings and returns the number. */
    async sweep(): Promise<number> {
      const before = new Date(clock.now().getTime() - KEPT_MS);
      const writer = createAutomationsWriter(db);
      return Math.max(
        await writer.deleteFirings(before, SWEEP_BATCH_SIZE),
        await writer.deleteCooldowns(before, SWEEP_BATCH_SIZE),
      );
    },
  };
}
