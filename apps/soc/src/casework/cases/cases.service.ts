import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { isCallerAllowed } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { requireMatch } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createCaseSlaStore } from "../case-sla/case-sla.store.ts";
import { createSlaFollower } from "../case-sla/follow-sla.ts";
import { judgeSla, NO_SLA, setDeadlines } from "../case-sla/sla.ts";
import { type CaseTemplate, fillDraft } from "../case-templates/case-template.ts";
import { createCaseTemplatesStore } from "../case-templates/case-templates.store.ts";
import { CASE_FIELDS, type Case, type CaseDetail, parseTime, patchCase, requireUnmerged } from "./case.ts";
import type { ObservableRequest } from "./case-items.schema.ts";
import { createCaseItemsStore } from "./case-items.store.ts";
import type { CaseReads } from "./case-reads.store.ts";
import type { CreateCaseRequest, ListCasesQuery, UpdateCaseRequest } from "./cases.schema.ts";
import { createCasesStore } from "./cases.store.ts";
import { changesBetween, formatChanges, requireSome, shorten } from "./field-changes.ts";

/** What a case needs from the alerts that are linked to it. */
export interface LinkedAlerts {
  /** Returns the alerts that were in another case before, with that case. */
  link(tx: Tx, caller: Caller, alert_ids: readonly string[], case_id: string): Promise<MovedAlert[]>;
  returnToTriaged(tx: Tx, caller: Caller, case_id: string): Promise<void>;
}

export interface MovedAlert {
  alert_id: string;
  from_case_id: string;
}

/** What a case takes over from the alert that it is opened for. */
export type OpenCaseRequest = CreateCaseRequest & { observables?: readonly ObservableRequest[] };

export interface LedgerReceipt {
  sequence: number;
  previous_hash: string;
  entry_hash: string;
}

/** The ledger chain of a case, which remains after the case is deleted. */
export interface CaseLedger {
  append(tx: Tx, case_id: string, entry: { kind: string; actor: string; body: object }): Promise<LedgerReceipt>;
}

export interface CasesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  reads: { database: CaseReads; showcase: CaseReads };
  audit: Recorder;
  alerts: LinkedAlerts;
  ledger: CaseLedger;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type CasesService = ReturnType<typeof createCasesService>;

const NEWEST = { limit: 200 };

export function createCasesService({ runtime, reads, audit, alerts, ledger, clock, ids }: CasesServiceDeps) {
  const followSla = createSlaFollower(clock);

  /** The case, locked against deletion until the transaction ends. */
  async function find(tx: Tx, case_id: string): Promise<Case | undefined> {
    return createCasesStore(tx).keep(case_id);
  }

  /** Adds an entry to the timeline of a case. */
  async function note(tx: Tx, caller: Caller, case_id: string, action: string): Promise<void> {
    const entry = { agent: caller.username, action, timestamp: clock.now() };
    await createCasesStore(tx).addToTimeline(case_id, entry);
  }

  /** Reads a case from the current data source. */
  async function look<Result>(case_id: string, read: (source: CaseReads, found: Case) => Promise<Result>) {
    const source = await runtime.choose(reads);
    const found = await source.find(case_id);
    if (!found) throw notFound("case", case_id);
    return read(source, found);
  }

  async function lock(tx: Tx, case_id: string, ifMatch: string | undefined): Promise<Case> {
    const found = await createCasesStore(tx).lock(case_id);
    if (!found) throw notFound("case", case_id);
    requireMatch(ifMatch, found);
    return found;
  }

  async function takeOver(
    tx: Tx,
    caller: Caller,
    case_id: string,
    observables: readonly ObservableRequest[],
  ): Promise<void> {
    if (observables.length === 0) return;
    const items = createCaseItemsStore(tx);
    for (const { type, value, source = null, tags = [], context = {} } of observables) {
      const created_at = clock.now();
      await items.insertObservable(case_id, {
        id: ids.next(),
        type,
        value,
        source,
        tags,
        context,
        created_at,
        edited_at: null,
      });
    }
    await note(tx, caller, case_id, `${observables.length} observables taken over from the alert`);
  }

  async function findTemplate(tx: Tx, template_id: string | undefined): Promise<CaseTemplate | undefined> {
    if (template_id === undefined) return undefined;
    const found = await createCaseTemplatesStore(tx).find(template_id);
    if (!found) throw notFound("case template", template_id);
    return found;
  }

  /** The tasks of the template, in its order. */
  async function addTasks(tx: Tx, caller: Caller, case_id: string, { name, tasks }: CaseTemplate): Promise<void> {
    const items = createCaseItemsStore(tx);
    for (const [position, { title, assignee = null }] of tasks.entries()) {
      const now = clock.now();
      const id = ids.next();
      await items.insertTask(case_id, {
        ...{ id, title, status: "todo", assignee, position },
        ...{ created_at: now, updated_at: now },
      });
      await audit.record(tx, {
        actor: caller.username,
        action: "task.created",
        subject_type: "task",
        subject_id: id,
        details: { case_id, title, status: "todo", assignee },
      });
    }
    await note(tx, caller, case_id, `${tasks.length} tasks of the template '${shorten(name)}'`);
  }

  return {
    note,
    look,

    find,

    async keep(tx: Tx, case_id: string): Promise<Case> {
      const found = await find(tx, case_id);
      if (!found) throw notFound("case", case_id);
      requireUnmerged(found);
      return found;
    },

    async list(query: ListCasesQuery): Promise<Page<Case>> {
      requireStorable(query);
      return (await runtime.choose(reads)).list(query);
    },

    async get(case_id: string): Promise<CaseDetail> {
      return look(case_id, async (source, found) => {
        const [timeline, observables, evidence, comments, tasks, merged_from] = await Promise.all([
          source.timeline(found.id, NEWEST),
          source.observables(found.id, NEWEST),
          source.evidence(found.id, NEWEST),
          source.comments(found.id, NEWEST),
          source.tasks(found.id, NEWEST),
          source.mergedFrom(found.id),
        ]);
        return {
          ...found,
          merged_from,
          timeline: timeline.items,
          observables: observables.items,
          evidence: evidence.items,
          comments: comments.items,
          tasks: tasks.items,
          totals: {
            timeline: timeline.total,
            observables: observables.total,
            evidence: evidence.total,
            comments: comments.total,
            tasks: tasks.total,
          },
        };
      });
    },

    /** With `areLinked`, the caller links the alerts in its own change of them. */
    async open(tx: Tx, caller: Caller, request: OpenCaseRequest, areLinked = false): Promise<Case> {
      requireTitle(request);
      requireStorable(request);
      const template = await findTemplate(tx, request.template_id);
      const { title, description, severity, tags } = fillDraft(request, template);
      const { assignee = null, due_at = null } = request;
      const now = clock.now();
      const targets = template?.sla ?? (await createCaseSlaStore(tx).find(severity));
      const times = setDeadlines(NO_SLA, targets, now);
      const opened: Case = {
        id: ids.next(),
        title,
        description,
        severity,
        status: "open",
        assignee,
        requires_human_approval: false,
        due_at: parseTime("due_at", due_at),
        mitre_techniques: [...new Set(request.mitre_techniques)],
        tags,
        sla: judgeSla(times, now, now),
        template_id: template?.id ?? null,
        merged_into: null,
        closed_at: null,
        created_at: now,
        updated_at: now,
      };
      const alert_ids = [...new Set(request.alert_ids)];
      await createCasesStore(tx).insert(opened, Boolean(template?.sla));
      const moved = areLinked ? [] : await alerts.link(tx, caller, alert_ids, opened.id);
      for (const { alert_id, from_case_id } of moved) {
        await note(tx, caller, from_case_id, `moved alert ${alert_id} to case ${opened.id}`);
      }
      await note(tx, caller, opened.id, `case opened: ${shorten(title)}`);
      await takeOver(tx, caller, opened.id, request.observables ?? []);
      if (template) await addTasks(tx, caller, opened.id, template);
      await audit.record(tx, {
        actor: caller.username,
        action: "case.created",
        subject_type: "case",
        subject_id: opened.id,
        details: { title, severity, assignee, alert_ids },
      });
      return opened;
    },

    async update(
      tx: Tx,
      caller: Caller,
      case_id: string,
      { due_at, ...fields }: UpdateCaseRequest,
      ifMatch?: string,
    ): Promise<Case> {
      requireSome({ due_at, ...fields }, CASE_FIELDS);
      requireTitle(fields);
      requireStorable(fields);
      if (fields.tags) fields.tags = [...new Set(fields.tags)];
      const patch = due_at === undefined ? fields : { ...fields, due_at: parseTime("due_at", due_at) };
      const current = await lock(tx, case_id, ifMatch);
      requireUnmerged(current);
      const patched = patchCase(current, patch, isCallerAllowed(caller, ["approvals:manage"]), clock.now());
      const next = { ...patched, sla: await followSla(tx, current, patched) };
      const changes = changesBetween(current, next, CASE_FIELDS);
      if (changes.length === 0) return current;
      await createCasesStore(tx).update(next);
      await note(tx, caller, next.id, formatChanges(changes));
      await audit.record(tx, {
        actor: caller.username,
        action: "case.updated",
        subject_type: "case",
        subject_id: next.id,
        details: { changes },
      });
      return next;
    },

    /** Deletes a case: its alerts return to triaged, and the ledger keeps a tombstone. */
    async remove(tx: Tx, caller: Caller, case_id: string, ifMatch?: string) {
      const store = createCasesStore(tx);
      // Lock the alerts before their case, as everywhere else, to avoid a deadlock with a promotion.
      if (isUuid(case_id)) await alerts.returnToTriaged(tx, caller, case_id);
      const { id, title, severity, status } = await lock(tx, case_id, ifMatch);
      // Again, for alerts that were linked between the two locks.
      await alerts.returnToTriaged(tx, caller, id);
      await ledger.append(tx, id, {
        kind: "case.deleted",
        actor: caller.username,
        body: { title, severity, status },
      });
      await store.remove(id);
      await audit.record(tx, {
        actor: caller.username,
        action: "case.deleted",
        subject_type: "case",
        subject_id: id,
        details: { title, severity, status },
      });
      return { deleted: true, id };
    },
  };
}

function requireTitle({ title }: { title?: string }): void {
  if (title !== undefined && title.trim() === "") throw invalidField("title", "must not be only white space");
}
