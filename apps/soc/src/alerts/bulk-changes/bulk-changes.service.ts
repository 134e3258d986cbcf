import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { BulkRecorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { Alert } from "../alerts/alert.ts";
import type { AlertChanges } from "../alerts/alert-changes.ts";
import { toSelection } from "../alerts/alert-filters.ts";
import type { CompileAlertQuery } from "../alerts/alert-query.ts";
import { AlertFilters, UpdateAlertRequest } from "../alerts/alerts.schema.ts";
import type { VerdictsOfAlerts } from "../alerts/alerts.service.ts";
import { createReportTurns } from "../alerts/report-turns.ts";
import {
  type BulkPatch,
  type ChangedAlert,
  type ChangeOrigin,
  patchAlert,
  restoreAlert,
  toEntry,
} from "./bulk-change.ts";
import { type BulkUpdateBody, type BulkUpdateRequest, MAX_CHANGED, type UndoBody } from "./bulk-changes.schema.ts";
import { type BulkChange, createBulkChangesWriter, type RememberedAlert } from "./bulk-changes.store.ts";

export interface BulkChangesServiceDeps {
  changes: AlertChanges;
  verdicts?: VerdictsOfAlerts;
  compileQuery: CompileAlertQuery;
  audit: BulkRecorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type BulkChangesService = ReturnType<typeof createBulkChangesService>;

/** Small enough that each statement ends within the statement timeout. */
const BATCH_SIZE = 250;
const UNDO_MS = 60_000;
const RETENTION_MS = 10 * 60_000;
const MAX_REFUSED = 100;
const PATCH_FIELDS = [...Object.keys(UpdateAlertRequest.properties), "tags_add or tags_remove"].join(", ");

/** Changes many alerts in one transaction and undoes such changes. */
export function createBulkChangesService(deps: BulkChangesServiceDeps) {
  const { changes, verdicts, compileQuery, audit, clock, ids } = deps;
  const inTurn = createReportTurns();

  /** Locks the alerts of the filter and throws if their number is not the expected one. */
  async function lockSelected(tx: Tx, caller: Caller, request: BulkUpdateRequest): Promise<string[]> {
    const { filter = {}, except_ids = [], expected_total } = request;
    if (expected_total === undefined) throw invalidField("expected_total", "is required with filter");
    requireFilter(filter);
    const writer = createBulkChangesWriter(tx);
    const selection = toSelection(filter, compileQuery, caller.username);
    const excepted = new Set(except_ids.map((id) => id.toLowerCase()));
    const found = await writer.find(toScope(caller), selection, MAX_CHANGED + excepted.size + 1);
    const wanted = found.filter((id) => !excepted.has(id));
    if (wanted.length > MAX_CHANGED) throw invalidField("filter", `must select at most ${MAX_CHANGED} alerts`);
    const locked: string[] = [];
    for (const batch of toBatches(wanted)) locked.push(...(await writer.lock(toScope(caller), selection, batch)));
    if (locked.length === expected_total) return locked;
    throw new Problem("conflict", `expected_total: the filter now selects ${locked.length} alerts`, {
      field: "expected_total",
    });
  }

  async function record(
    tx: Tx,
    caller: Caller,
    doing: Pick<ChangeOrigin, "action" | "change_id">,
    pairs: readonly { previous: ChangedAlert; changed: ChangedAlert }[],
  ): Promise<void> {
    await audit.recordAll(
      tx,
      pairs.map((pair) => toEntry({ actor: caller.username, ...doing }, pair)),
    );
    const judged = pairs.filter(({ previous, changed }) => previous.verdict !== changed.verdict);
    await verdicts?.recordVerdicts(
      tx,
      caller,
      judged.map(({ changed }) => changed),
    );
  }

  async function apply(tx: Tx, caller: Caller, alert_ids: readonly string[], patch: BulkPatch): Promise<string> {
    const writer = createBulkChangesWriter(tx);
    const [change_id, now] = [ids.next(), clock.now()];
    await writer.insert({ id: change_id, made_by: nameMaker(caller), at: now, undone_at: null });
    for (const batch of toBatches(alert_ids)) {
      const pairs = (await writer.read(batch)).map((previous) => ({
        previous,
        changed: patchAlert(previous, patch, caller.username, now),
      }));
      await writer.change(
        change_id,
        pairs.map(({ changed }) => changed),
      );
      await record(tx, caller, { action: "alert.updated", change_id }, pairs);
    }
    return change_id;
  }

  async function restore(
    tx: Tx,
    caller: Caller,
    change_id: string,
    batch: readonly RememberedAlert[],
  ): Promise<number> {
    const pairs = batch
      .filter(({ isSame }) => isSame)
      .map(({ alert, before }) => ({ previous: alert, changed: restoreAlert(alert, before) }));
    await createBulkChangesWriter(tx).restore(pairs.map(({ changed }) => changed));
    await record(tx, caller, { action: "alert.undone", change_id }, pairs);
    return pairs.length;
  }

  return {
    /**
     * Runs bulk changes of this process sequentially, because two that share alerts would wait for each other's locks.
     */
    inTurn: <Result>(work: () => Promise<Result>): Promise<Result> => inTurn("bulk", work),

    /** Changes all alerts or none. */
    async update(tx: Tx, caller: Caller, request: BulkUpdateRequest): Promise<BulkUpdateBody> {
      const { ids: alert_ids, filter, except_ids, expected_total, ...patch } = request;
      requirePatch(patch);
      if ((alert_ids === undefined) === (filter === undefined)) {
        throw invalidField("ids", "either ids or filter is required");
      }
      if (alert_ids === undefined) {
        const selected = await lockSelected(tx, caller, request);
        return { changed: selected.length, change_id: await apply(tx, caller, selected, patch) };
      }
      if (except_ids !== undefined || expected_total !== undefined) {
        throw invalidField(except_ids ? "except_ids" : "expected_total", "is only allowed with filter");
      }
      const locked = await changes.lock(tx, toScope(caller), alert_ids);
      const change_id = await apply(
        tx,
        caller,
        locked.map(({ id }) => id),
        patch,
      );
      return { items: await changes.lock(tx, toScope(caller), alert_ids), changed: locked.length, change_id };
    },

    /** Stores the previous values of one alert, so that the same caller can undo the update. */
    async remember(
      tx: Tx,
      caller: Caller,
      alert_id: string,
      update: () => Promise<Alert>,
    ): Promise<{ alert: Alert; change_id: string }> {
      const writer = createBulkChangesWriter(tx);
      const change_id = ids.next();
      await changes.lockOne(tx, toScope(caller), alert_id);
      const [previous] = await writer.read([alert_id]);
      const alert = await update();
      await writer.insert({ id: change_id, made_by: nameMaker(caller), at: clock.now(), undone_at: null });
      if (previous) await writer.remember(change_id, previous, alert.updated_at);
      return { alert, change_id };
    },

    /** Restores the alerts of a change that have not changed since then. */
    async undo(tx: Tx, caller: Caller, change_id: string): Promise<UndoBody> {
      const writer = createBulkChangesWriter(tx);
      const change = isUuid(change_id) ? await writer.lockChange(change_id) : undefined;
      if (!change || change.made_by !== nameMaker(caller)) throw notFound("change", change_id);
      requireUndoable(change, clock.now());
      await writer.markUndone(change.id, clock.now());
      const answer: UndoBody = { restored: 0, refused: [], refused_total: 0 };
      for (let last: string | undefined; ; ) {
        const batch = await writer.lockRemembered(toScope(caller), change.id, last, BATCH_SIZE);
        const restored = await restore(tx, caller, change_id, batch);
        const refused = batch.filter(({ isSame }) => !isSame).map(({ alert }) => alert.id);
        answer.restored += restored;
        answer.refused_total += refused.length;
        const room = MAX_REFUSED - answer.refused.length;
        answer.refused.push(...refused.slice(0, room).map((id) => ({ id, detail: "changed since" })));
        if (batch.length < BATCH_SIZE) return answer;
        last = batch.at(-1)?.alert.id;
      }
    },

    sweep: (db: Db): Promise<number> =>
      createBulkChangesWriter(db).sweep(new Date(clock.now().getTime() - RETENTION_MS)),
  };
}

function requireFilter(filter: AlertFilters): void {
  const unknown = Object.keys(filter).find((name) => !(name in AlertFilters.properties));
  if (unknown !== undefined) throw invalidField("filter", `alerts cannot be filtered by '${unknown}'`);
  requireStorable(filter);
}

function nameMaker({ kind, username }: Caller): string {
  return `${kind}:${username}`;
}

function requireUndoable({ at, undone_at }: BulkChange, now: Date): void {
  if (undone_at) throw new Problem("conflict", "change_id: the change has already been undone");
  if (now.getTime() - at.getTime() > UNDO_MS) {
    throw new Problem("conflict", `change_id: a change can be undone within ${UNDO_MS / 1000} seconds`);
  }
}

function requirePatch(patch: BulkPatch): void {
  if (Object.keys(patch).length === 0) throw invalidField("body", `must have ${PATCH_FIELDS}`);
  requireStorable(patch);
}

function toBatches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, at) =>
    ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  );
}
