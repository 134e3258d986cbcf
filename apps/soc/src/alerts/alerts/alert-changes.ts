import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import { type Alert, type AlertFields, describeChange, linkFields, statusFields } from "./alert.ts";
import { toFilterKeys } from "./alert-filters.ts";
import { createAlertsWriter } from "./alerts.store.ts";

export interface AlertChangesDeps {
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type AlertChanges = ReturnType<typeof createAlertChanges>;

/** Changes stored alerts. Every feature uses it, so that every change is recorded. */
export function createAlertChanges({ audit, clock }: AlertChangesDeps) {
  /** Locks the alerts of the scope until the transaction ends, and returns them. */
  async function lock(tx: Tx, scope: Scope, alert_ids: readonly string[]): Promise<Alert[]> {
    const alerts = await createAlertsWriter(tx).lock(scope, alert_ids);
    const found = new Set(alerts.map(({ id }) => id));
    const missing = alert_ids.find((id) => !found.has(id.toLowerCase()));
    if (missing !== undefined) throw notFound("alert", missing);
    return alerts;
  }

  async function change(tx: Tx, caller: Caller, action: string, alert: Alert, fields: AlertFields): Promise<Alert> {
    const changed = await createAlertsWriter(tx).update(alert.id, {
      ...fields,
      filter_keys: toFilterKeys({ ...alert, ...fields }),
      updated_at: updatedAt(alert, clock.now()),
    });
    await audit.record(tx, {
      actor: caller.username,
      action,
      subject_type: "alert",
      subject_id: alert.id,
      details: describeChange(alert, changed),
    });
    return changed;
  }

  /** Removes an alert from its case. */
  async function unlink(tx: Tx, caller: Caller, alert: Alert): Promise<Alert> {
    const fields = statusFields(alert, "triaged", caller.username, clock.now());
    return change(tx, caller, "alert.unlinked", alert, { ...fields, case_id: null });
  }

  return {
    lock,
    change,

    async lockOne(tx: Tx, scope: Scope, alert_id: string): Promise<Alert> {
      const [alert] = await lock(tx, scope, [alert_id]);
      if (!alert) throw notFound("alert", alert_id);
      return alert;
    },

    /** Links the alerts to a case. An alert is in at most one case; returns the alerts that left another case. */
    async link(
      tx: Tx,
      caller: Caller,
      alert_ids: readonly string[],
      case_id: string,
    ): Promise<{ alert_id: string; from_case_id: string }[]> {
      const alerts = await lock(tx, toScope(caller), alert_ids);
      for (const alert of alerts) {
        await change(tx, caller, "alert.linked", alert, linkFields(alert, case_id, caller.username, clock.now()));
      }
      return alerts.flatMap(({ id, case_id: from_case_id }) =>
        from_case_id === null ? [] : [{ alert_id: id, from_case_id }],
      );
    },

    unlink,

    /** Locks the alerts of these cases until the transaction ends, and returns their number. */
    lockByCases: async (tx: Tx, scope: Scope, case_ids: readonly string[]): Promise<number> =>
      (await createAlertsWriter(tx).lockByCases(scope, case_ids)).length,

    /** Moves all alerts of these cases to another case and returns their number. */
    async moveAll(tx: Tx, caller: Caller, case_ids: readonly string[], case_id: string): Promise<number> {
      const alerts = await createAlertsWriter(tx).lockByCases(toScope(caller), case_ids);
      for (const alert of alerts) {
        await change(tx, caller, "alert.linked", alert, linkFields(alert, case_id, caller.username, clock.now()));
      }
      return alerts.length;
    },

    /** Unlinks all alerts of a case that is being deleted. */
    async returnToTriaged(tx: Tx, caller: Caller, case_id: string): Promise<void> {
      for (const alert of await createAlertsWriter(tx).lockByCases(toScope(caller), [case_id])) {
        await unlink(tx, caller, alert);
      }
    },
  };
}
