import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { AlertChanges } from "../../alerts/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { shorten } from "../../foundation/records/field-changes.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { Case } from "../cases/case.ts";
import { type FindOpenApproval, requireNoOpenApproval } from "../cases/case-decisions.service.ts";
import type { CaseLedger } from "../cases/cases.service.ts";
import { type CasesStore, createCasesStore } from "../cases/cases.store.ts";
import { followSla } from "../cases/follow-sla.ts";
import type { MovedItems } from "./case-merges.schema.ts";
import { type CaseMergesWriter, createCaseMergesWriter } from "./case-merges.store.ts";
import { joinCases, requireMergeable, requireOthers } from "./merge.ts";

export interface CaseMergesServiceDeps {
  alerts: Pick<AlertChanges, "lockByCases" | "moveAll">;
  ledger: CaseLedger;
  findOpenApproval?: FindOpenApproval | undefined;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type CaseMergesService = ReturnType<typeof createCaseMergesService>;

interface MergeContext {
  target: Case;
  cases: CasesStore;
  merges: CaseMergesWriter;
}

/** Limited because each alert is changed and recorded separately. */
const MAX_ALERTS = 2000;
const NOTHING: MovedItems = { alerts: 0, observables: 0, unified: 0, evidence: 0, comments: 0, tasks: 0 };

export function createCaseMergesService(deps: CaseMergesServiceDeps) {
  const { alerts, ledger, findOpenApproval, audit, clock } = deps;

  async function lockAll(cases: CasesStore, scope: Scope, ids: readonly string[]): Promise<Map<string, Case>> {
    const found = new Map<string, Case>();
    // A fixed order prevents deadlocks between two merges of the same cases.
    for (const id of ids.toSorted()) {
      const locked = await cases.lock(scope, id);
      if (!locked) throw notFound("case", id);
      found.set(id, locked);
    }
    return found;
  }

  /** Ends the chain of the source with the target of its evidence, and records that end in the chain of the target. */
  async function mergeChains(tx: Tx, { username: actor }: Caller, { target, merges }: MergeContext, source: Case) {
    const evidence = await merges.listEvidence(source.id);
    const { title, severity, status } = source;
    const end = await ledger.append(tx, source.id, {
      kind: "case.merged_into",
      actor,
      body: { into: target.id, title, severity, status, evidence },
    });
    await ledger.append(tx, target.id, {
      kind: "case.merged",
      actor,
      body: { from: source.id, title, evidence, sequence: end.sequence, entry_hash: end.entry_hash },
    });
  }

  async function close(tx: Tx, { cases, merges, target }: MergeContext, source: Case): Promise<void> {
    const now = clock.now();
    const closed: Case = {
      ...source,
      status: "closed",
      closed_at: source.closed_at ?? now,
      merged_into: target.id,
      updated_at: updatedAt(source, now),
    };
    await cases.update({ ...closed, sla: await followSla(tx, source, closed) });
    await merges.redirect(source.id, target.id);
  }

  async function mergeOne(
    tx: Tx,
    caller: Caller,
    merging: MergeContext,
    source: Case,
  ): Promise<Omit<MovedItems, "alerts">> {
    const { target, cases, merges } = merging;
    const { username: by } = caller;
    const at = clock.now();
    await mergeChains(tx, caller, merging, source);
    const moved = await merges.moveItems({ from: source.id, into: target.id, by, at });
    await close(tx, merging, source);
    const entry = (action: string) => ({ agent: by, action, timestamp: at });
    await cases.addToTimeline(source.id, entry(`merged into case ${target.id}: ${shorten(target.title)}`));
    await cases.addToTimeline(target.id, entry(`merged case ${source.id}: ${shorten(source.title)}`));
    await audit.record(tx, {
      actor: by,
      action: "case.merged",
      subject_type: "case",
      subject_id: source.id,
      details: { merged_into: target.id, title: source.title, previous_status: source.status, ...moved },
    });
    return moved;
  }

  return {
    /** Moves all records of the sources into the target and closes the sources, in one transaction. */
    async merge(tx: Tx, caller: Caller, into: string, from: readonly string[], ifMatch?: string) {
      const scope = toScope(caller);
      const ids = requireOthers(into, from);
      const cases = createCasesStore(tx);
      // Lock the alerts before their cases, as everywhere else, to avoid deadlocks.
      const count = await alerts.lockByCases(tx, scope, ids);
      if (count > MAX_ALERTS) {
        throw new Problem("conflict", `from: the cases have ${count} alerts; a merge moves at most ${MAX_ALERTS}`);
      }
      if (!(await cases.find(scope, into))) throw notFound("case", into);
      const locked = await lockAll(cases, scope, [into.toLowerCase(), ...ids]);
      const [target, ...sources] = [into.toLowerCase(), ...ids].flatMap((id) => locked.get(id) ?? []);
      if (!target) throw notFound("case", into);
      requireMatch(ifMatch, target);
      requireMergeable(target, sources);
      // A merge closes its sources, so it must not bypass the pending approval of a source.
      const case_ids = sources.filter(({ status }) => status === "pending_approval").map(({ id }) => id);
      await requireNoOpenApproval(tx, caller, { field: "from", case_ids, findOpenApproval });
      const moved = { ...NOTHING };
      // Repeat for alerts that were linked between the two locks.
      moved.alerts = await alerts.moveAll(tx, caller, ids, target.id);
      const merging = { target, cases, merges: createCaseMergesWriter(tx) };
      await merging.merges.joinSites([target.id, ...ids]);
      for (const source of sources) {
        const each = await mergeOne(tx, caller, merging, source);
        for (const name of ["observables", "unified", "evidence", "comments", "tasks"] as const)
          moved[name] += each[name];
      }
      const changed = { ...target, ...joinCases(target, sources), updated_at: updatedAt(target, clock.now()) };
      const joined: Case = { ...changed, sla: await followSla(tx, target, changed) };
      await cases.update(joined);
      await audit.record(tx, {
        actor: caller.username,
        action: "case.merged",
        subject_type: "case",
        subject_id: target.id,
        details: { from: ids, ...moved, severity: joined.severity, previous_severity: target.severity },
      });
      return { case: joined, moved };
    },
  };
}
