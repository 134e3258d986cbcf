import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { AlertsService } from "../../alerts/module.ts";
import type { Case, CasesService } from "../../cases/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { type CorrelationRow, formatReason, MAX_MEMBERS, type RatedRecord } from "./correlation.ts";
import type { CorrelationBody, ListCorrelationsQuery } from "./correlations.schema.ts";
import { type CorrelationsStore, createCorrelationsWriter } from "./correlations.store.ts";
import { describeLink, findLinks, type Link } from "./link.ts";

export interface CorrelationsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: CorrelationsStore; showcase: CorrelationsStore };
  cases: Pick<CasesService, "open" | "keep" | "addSite">;
  alerts: Pick<AlertsService, "linkToCase">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type CorrelationsService = ReturnType<typeof createCorrelationsService>;

const ACTOR = "system";
/** The maximum number of alerts for opening a case. */
const MAX_CASE_ALERTS = 100;

export function createCorrelationsService(deps: CorrelationsServiceDeps) {
  const { runtime, stores, cases, alerts, audit, clock, ids } = deps;

  async function get(id: string): Promise<CorrelationBody> {
    const found = await (await runtime.choose(stores)).find(id);
    if (!found) throw notFound("correlation", id);
    return found;
  }

  /** Returns the oldest group of the linked records after merging the others into it, or a new group. */
  async function chooseGroup(
    tx: Tx,
    record: RatedRecord,
    links: readonly Link<RatedRecord>[],
  ): Promise<CorrelationRow> {
    const writer = createCorrelationsWriter(tx);
    const [oldest, ...rest] = await writer.listGroups([record, ...links.map(({ other }) => other)]);
    if (oldest) {
      await writer.merge(
        oldest.id,
        rest.map(({ id }) => id),
      );
      const strongest = [oldest, ...rest].reduce((a, b) => (b.score > a.score ? b : a));
      const case_id = [oldest, ...rest].find((each) => each.case_id !== null)?.case_id ?? null;
      return { ...oldest, score: strongest.score, reason: strongest.reason, case_id };
    }
    const now = clock.now();
    const opened: CorrelationRow = {
      ...{ id: ids.next(), score: links[0]?.score ?? 1, reason: "", severity: record.severity, members: 0 },
      ...{ first_at: record.at, last_at: record.at, case_id: null, created_at: now, updated_at: now },
    };
    await writer.insert(opened);
    await audit.record(tx, {
      ...{ actor: ACTOR, action: "correlation.opened", subject_type: "correlation", subject_id: opened.id },
      details: { kind: record.kind, record_id: record.id, score: opened.score },
    });
    return opened;
  }

  async function openNew(tx: Tx, caller: Caller, group: CorrelationRow, alert_ids: string[]): Promise<Case> {
    const { id, severity, members } = group;
    const opened = await cases.open(tx, caller, {
      ...{ title: `${members} related records`, severity, alert_ids },
      description: `Correlation ${id}: ${formatReason(group.reason, members)}.`,
    });
    // The case also counts and describes records that are not linked to it.
    for (const site of await createCorrelationsWriter(tx).listSites(id)) await cases.addSite(tx, opened.id, site);
    return opened;
  }

  async function join(tx: Tx, caller: Caller, case_id: string, alert_ids: readonly string[]): Promise<Case> {
    for (const alert_id of alert_ids.toSorted(byText)) await alerts.linkToCase(tx, caller, alert_id, case_id);
    return cases.keep(tx, toScope(caller), case_id);
  }

  return {
    async list(query: ListCorrelationsQuery): Promise<Page<CorrelationBody>> {
      return (await runtime.choose(stores)).list(query);
    },

    get,

    /** Adds a new or changed record to the group of its related records. Idempotent. */
    async consider(tx: Tx, record: RatedRecord): Promise<string | undefined> {
      const writer = createCorrelationsWriter(tx);
      await writer.lock();
      await writer.remember(record);
      const links = findLinks(record, await writer.listNear(record));
      const [strongest] = links;
      if (!strongest) return undefined;
      const group = await chooseGroup(tx, record, links);
      const joining = links.map(({ other }) => ({ record: other, reason: null }));
      const reason = describeLink(record, strongest);
      const added = [{ record, reason }, ...joining].slice(0, Math.max(0, MAX_MEMBERS - group.members));
      if (added.length > 0) await writer.addMembers(group.id, added);
      const isStronger = group.reason === "" || strongest.score > group.score;
      await writer.update(group.id, {
        ...{ score: Math.max(group.score, strongest.score), case_id: group.case_id, updated_at: clock.now() },
        reason: isStronger ? reason : group.reason,
      });
      return group.id;
    },

    /** Links the group to one case: the open case of one of its alerts, or a new one. */
    async openCase(tx: Tx, caller: Caller, id: string): Promise<Case> {
      const writer = createCorrelationsWriter(tx);
      const found = await writer.lockOne(id);
      if (!found) throw notFound("correlation", id);
      if (found.case_id !== null) throw new Problem("conflict", `correlation already has the case ${found.case_id}`);
      const [known, alert_ids] = [
        await writer.findOpenCase(id),
        await writer.listAlertsWithoutCase(id, MAX_CASE_ALERTS),
      ];
      if (known === undefined && alert_ids.length === 0) {
        throw new Problem("conflict", "correlation has no alert without a case");
      }
      const opened =
        known === undefined ? await openNew(tx, caller, found, alert_ids) : await join(tx, caller, known, alert_ids);
      await writer.setCase(id, opened.id, clock.now());
      await audit.record(tx, {
        ...{ actor: caller.username, action: "correlation.case_opened", subject_type: "correlation", subject_id: id },
        details: { case_id: opened.id },
      });
      return opened;
    },
  };
}

/** Alerts are always locked in id order to avoid deadlocks. */
function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
