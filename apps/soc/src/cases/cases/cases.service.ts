import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES, type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import { chooseSite } from "../../foundation/caller/choose-site.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { changesBetween, formatChanges, requireSome, shorten } from "../../foundation/records/field-changes.ts";
import { requireMatch } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createCaseSlaStore } from "../case-sla/case-sla.store.ts";
import { judgeSla, NO_SLA, setDeadlines } from "../case-sla/sla.ts";
import { type CaseTemplate, fillDraft } from "../case-templates/case-template.ts";
import { createCaseTemplatesStore } from "../case-templates/case-templates.store.ts";
import {
  ADOPTED,
  CASE_FIELDS,
  type Case,
  type CaseDetail,
  findWaived,
  parseTime,
  patchCase,
  requireUnmerged,
} from "./case.ts";
import { type FindOpenApproval, requireNoOpenApproval } from "./case-decisions.service.ts";
import type { ObservableRequest } from "./case-items.schema.ts";
import { createCaseItemsStore } from "./case-items.store.ts";
import type { CaseReads } from "./case-reads.store.ts";
import type { CreateCaseRequest, ListCasesQuery, UpdateCaseRequest } from "./cases.schema.ts";
import { createCasesStore } from "./cases.store.ts";
import { followSla } from "./follow-sla.ts";

/** What cases need from their linked alerts. */
export interface LinkedAlerts {
  /** Locks and returns the alerts of the scope; throws if one does not exist. */
  lock(tx: Tx, scope: Scope, alert_ids: readonly string[]): Promise<{ site: string | null }[]>;
  /** Returns the alerts that moved from another case, with that case. */
  link(tx: Tx, caller: Caller, alert_ids: readonly string[], case_id: string): Promise<MovedAlert[]>;
  returnToTriaged(tx: Tx, caller: Caller, case_id: string): Promise<void>;
}

export interface MovedAlert {
  alert_id: string;
  from_case_id: string;
}

/** A request with the data that the case copies from its alert. */
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
  /** If absent, no case has approvals. */
  findOpenApproval?: FindOpenApproval | undefined;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type CasesService = ReturnType<typeof createCasesService>;

interface NamedSites {
  site: string | undefined;
  alert_ids: readonly string[];
}

const NEWEST = { limit: 200 };
/** Represents content without a site among the sites of a case. */
const NO_SITE = "";

export function createCasesService(deps: CasesServiceDeps) {
  const { runtime, reads, audit, alerts, ledger, findOpenApproval, clock, ids } = deps;

  /** Returns the case, locked against deletion until the transaction ends. */
  async function find(tx: Tx, scope: Scope, case_id: string): Promise<Case | undefined> {
    return createCasesStore(tx).keep(scope, case_id);
  }

  /** Adds an entry to the timeline of a case; throws if the case is not in the caller's scope. */
  async function note(tx: Tx, caller: Caller, case_id: string, action: string): Promise<void> {
    const store = createCasesStore(tx);
    // The case is already in the caller's scope; an alert may move from a case that the caller cannot see.
    if (caller.sites && !(await store.keep(caller.sites, case_id))) {
      throw new Problem("conflict", "one of the alerts is in a case of other sites");
    }
    await store.addToTimeline(case_id, { agent: caller.username, action, timestamp: clock.now() });
  }

  /** Reads a case from the current data source. */
  async function look<Result>(
    scope: Scope,
    case_id: string,
    read: (source: CaseReads, found: Case) => Promise<Result>,
  ): Promise<Result> {
    const source = await runtime.choose(reads);
    const found = await source.find(scope, case_id);
    if (!found) throw notFound("case", case_id);
    return read(source, found);
  }

  async function lock(tx: Tx, caller: Caller, case_id: string, ifMatch: string | undefined): Promise<Case> {
    const found = await createCasesStore(tx).lock(toScope(caller), case_id);
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

  /** Templates are only for callers of all sites, like their routes. */
  async function findTemplate(
    tx: Tx,
    { sites }: Caller,
    template_id: string | undefined,
  ): Promise<CaseTemplate | undefined> {
    if (template_id === undefined) return undefined;
    const found = sites ? undefined : await createCaseTemplatesStore(tx).find(template_id);
    if (!found) throw notFound("case template", template_id);
    return found;
  }

  /** Returns the sites of the alerts that a case is opened for; without alerts, the named site. */
  async function listSites(tx: Tx, caller: Caller, { site, alert_ids }: NamedSites): Promise<string[]> {
    const scope = toScope(caller);
    const linked = alert_ids.length === 0 ? [] : await alerts.lock(tx, scope, alert_ids);
    const named = linked.length > 0 && site === undefined ? [] : [chooseSite(scope, site) ?? NO_SITE];
    return [...new Set([...linked.map((alert) => alert.site ?? NO_SITE), ...named])];
  }

  /** Adds the tasks of the template in its order. */
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

    async keep(tx: Tx, scope: Scope, case_id: string): Promise<Case> {
      const found = await find(tx, scope, case_id);
      if (!found) throw notFound("case", case_id);
      requireUnmerged(found);
      return found;
    },

    async list(scope: Scope, query: ListCasesQuery): Promise<Page<Case>> {
      requireStorable(query);
      return (await runtime.choose(reads)).list(scope, query);
    },

    /** Adds the site of content in the case; null for content without a site. */
    async addSite(tx: Tx, case_id: string, site: string | null): Promise<void> {
      await createCasesStore(tx).addSite(case_id, site ?? NO_SITE);
    },

    /** Returns the sites of the content of the case; '' for content without a site. */
    async listSites(case_id: string): Promise<string[]> {
      return (await runtime.choose(reads)).sites(case_id);
    },

    /** Like listSites, for a case that the transaction has stored. */
    async listSitesIn(tx: Tx, case_id: string): Promise<string[]> {
      return createCasesStore(tx).sites(case_id);
    },

    /** Returns the cases that are in the scope. */
    async filter(scope: Scope, case_ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (scope === ALL_SITES) return new Set(case_ids);
      return new Set(await (await runtime.choose(reads)).filter(scope, case_ids));
    },

    async get(scope: Scope, case_id: string): Promise<CaseDetail> {
      return look(scope, case_id, async (source, found) => {
        const [timeline, observables, evidence, comments, tasks, merged_from] = await Promise.all([
          source.timeline(found.id, NEWEST),
          source.observables(found.id, NEWEST),
          source.evidence(found.id, NEWEST),
          source.comments(found.id, NEWEST),
          source.tasks(found.id, NEWEST),
          source.mergedFrom(scope, found.id),
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

    /** With `areLinked`, the caller links the alerts in its own change. */
    async open(tx: Tx, caller: Caller, request: OpenCaseRequest, areLinked = false): Promise<Case> {
      requireTitle(request);
      requireStorable(request);
      const template = await findTemplate(tx, caller, request.template_id);
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
      const sites = await listSites(tx, caller, { site: request.site, alert_ids });
      await createCasesStore(tx).insert(opened, sites, Boolean(template?.sla));
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
      const current = await lock(tx, caller, case_id, ifMatch);
      requireUnmerged(current);
      const field = findWaived(current, patch);
      if (field) {
        // An approval keeps the id of its case when that is merged into another one.
        const case_ids = [current.id, ...(await createCasesStore(tx).mergedFrom(ALL_SITES, current.id))];
        await requireNoOpenApproval(tx, caller, { field, case_ids, findOpenApproval });
      }
      const patched = patchCase(current, patch, clock.now());
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

    /** Transfers a case that an agent opened to this person; undefined if it already belongs to a person. */
    async adopt(
      tx: Tx,
      caller: Caller,
      case_id: string,
      fields: Pick<UpdateCaseRequest, "description" | "assignee">,
    ): Promise<Case | undefined> {
      const current = await lock(tx, caller, case_id, undefined);
      const store = createCasesStore(tx);
      if (!(await store.isOfAgent(current.id))) return undefined;
      const next = patchCase(current, fields, clock.now());
      const changes = changesBetween(current, next, CASE_FIELDS);
      await store.update({ ...next, sla: await followSla(tx, current, next) });
      await note(tx, caller, next.id, ADOPTED);
      if (changes.length > 0) await note(tx, caller, next.id, formatChanges(changes));
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
      const { id, title, severity, status } = await lock(tx, caller, case_id, ifMatch);
      // Repeat for alerts that were linked between the two locks.
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
  if (title !== undefined && title.trim() === "") throw invalidField("title", "must not be blank");
}
