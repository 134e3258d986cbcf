import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { changesBetween, formatChanges, requireSome, shorten } from "../../foundation/records/field-changes.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { Comment, Observable, Task, TimelineEntry } from "./case.ts";
import { createItemRecorder, requireShortContext } from "./case-item.ts";
import { createVersionKeeper } from "./case-item-versions.ts";
import type {
  CommentRequest,
  CreateTaskRequest,
  ObservableRequest,
  ObservablesBody,
  ObservablesRequest,
  TasksQuery,
  UpdateTaskRequest,
} from "./case-items.schema.ts";
import { createCaseItemsStore } from "./case-items.store.ts";
import type { CasesService } from "./cases.service.ts";
import { listMentions } from "./mentions.ts";

export interface CaseItemsServiceDeps {
  cases: Pick<CasesService, "keep" | "look" | "note">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type CaseItemsService = ReturnType<typeof createCaseItemsService>;

const TASK_FIELDS = ["title", "status", "assignee", "position"] as const;

/** Reads and adds items of a case: timeline, observables, comments and tasks. */
export function createCaseItemsService({ cases, audit, clock, ids }: CaseItemsServiceDeps) {
  const record = createItemRecorder({ cases, audit });
  const keepVersion = createVersionKeeper(clock);

  async function insertObservable(tx: Tx, case_id: string, request: ObservableRequest) {
    const { type, value, source = null, tags = [], context = {} } = request;
    const created_at = clock.now();
    const observable = { id: ids.next(), type, value, source, tags, context, created_at, edited_at: null };
    const store = createCaseItemsStore(tx);
    if (await store.insertObservable(case_id, observable)) return { observable, isNew: true };
    const equal = await store.findObservable(case_id, observable);
    if (!equal) throw new Problem("conflict", "an equal observable was removed at the same time; try again");
    return { observable: equal, isNew: false };
  }

  async function auditObservable(
    tx: Tx,
    { username: actor }: Caller,
    case_id: string,
    { id, type, value }: Observable,
  ) {
    const subject = { subject_type: "observable", subject_id: id };
    await audit.record(tx, { actor, action: "observable.created", ...subject, details: { case_id, type, value } });
  }

  return {
    timeline: (scope: Scope, case_id: string, query: PageQuery): Promise<Page<TimelineEntry>> =>
      cases.look(scope, case_id, (source, { id }) => source.timeline(id, query)),

    observables: (scope: Scope, case_id: string, query: PageQuery): Promise<Page<Observable>> =>
      cases.look(scope, case_id, (source, { id }) => source.observables(id, query)),

    comments: (scope: Scope, case_id: string, query: PageQuery): Promise<Page<Comment>> =>
      cases.look(scope, case_id, (source, { id }) => source.comments(id, query)),

    tasks: (scope: Scope, case_id: string, query: TasksQuery): Promise<Page<Task>> =>
      cases.look(scope, case_id, (source, { id }) => source.tasks(id, query)),

    /** Returns an equal observable of the case unchanged. */
    async addObservable(
      tx: Tx,
      caller: Caller,
      in_case: string,
      request: ObservableRequest,
    ): Promise<{ observable: Observable; isNew: boolean }> {
      requireStorable(request);
      requireShortContext(request);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const added = await insertObservable(tx, case_id, request);
      if (!added.isNew) return added;
      const { type, value } = added.observable;
      await cases.note(tx, caller, case_id, `observable added: ${type} ${shorten(value)}`);
      await auditObservable(tx, caller, case_id, added.observable);
      return added;
    },

    /** Adds many observables; returns existing ones unchanged. */
    async addObservables(
      tx: Tx,
      caller: Caller,
      in_case: string,
      { observables }: ObservablesRequest,
    ): Promise<ObservablesBody> {
      for (const [place, request] of observables.entries()) requireObservable(request, place);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const toKey = ({ type, value }: Pick<Observable, "type" | "value">) => JSON.stringify([type, value]);
      const added = new Map<string, { observable: Observable; isNew: boolean }>();
      // A fixed order prevents deadlocks between two requests with the same observables.
      for (const request of observables.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))) {
        if (!added.has(toKey(request))) added.set(toKey(request), await insertObservable(tx, case_id, request));
      }
      const created = [...added.values()].filter(({ isNew }) => isNew);
      for (const { observable } of created) await auditObservable(tx, caller, case_id, observable);
      if (created.length > 0) await cases.note(tx, caller, case_id, `${created.length} observables added`);
      const items = observables.flatMap((request) => added.get(toKey(request))?.observable ?? []);
      return { items, created: created.length, existing: observables.length - created.length };
    },

    async addComment(tx: Tx, caller: Caller, in_case: string, request: CommentRequest): Promise<Comment> {
      requireStorable(request);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const comment = {
        id: ids.next(),
        author: caller.username,
        body: request.body,
        created_at: clock.now(),
        edited_at: null,
      };
      await createCaseItemsStore(tx).insertComment(case_id, comment);
      await record(tx, caller, {
        case_id,
        sentence: "comment added",
        action: "comment.created",
        subject_type: "comment",
        subject_id: comment.id,
        details: { mentions: listMentions(comment.body) },
      });
      return comment;
    },

    async addTask(tx: Tx, caller: Caller, in_case: string, request: CreateTaskRequest): Promise<Task> {
      requireStorable(request);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const { title, status = "todo", assignee = null, position = null } = request;
      const now = clock.now();
      const task: Task = { id: ids.next(), title, status, assignee, position, created_at: now, updated_at: now };
      await createCaseItemsStore(tx).insertTask(case_id, task);
      await record(tx, caller, {
        case_id,
        sentence: `task added: ${shorten(title)}`,
        action: "task.created",
        subject_type: "task",
        subject_id: task.id,
        details: { title, status, assignee },
      });
      return task;
    },

    async updateTask(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, task_id }: { case_id: string; task_id: string },
      request: UpdateTaskRequest,
      ifMatch?: string,
    ): Promise<Task> {
      requireSome(request, TASK_FIELDS);
      requireStorable(request);
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const store = createCaseItemsStore(tx);
      const current = await store.lockTask(case_id, task_id);
      if (!current) throw notFound("task", task_id);
      requireMatch(ifMatch, current);
      const next = { ...current, ...request, updated_at: updatedAt(current, clock.now()) };
      const changes = changesBetween(current, next, TASK_FIELDS);
      if (changes.length === 0) return current;
      await store.updateTask(next);
      await keepVersion(tx, caller, { case_id, item_type: "task", change: "edited", item: current });
      await record(tx, caller, {
        case_id,
        sentence: `task '${shorten(current.title)}' ${formatChanges(changes)}`,
        action: "task.updated",
        subject_type: "task",
        subject_id: current.id,
        details: { changes },
      });
      return next;
    },
  };
}

function requireObservable(request: ObservableRequest, place: number): void {
  try {
    requireStorable(request);
    requireShortContext(request);
  } catch (error) {
    if (!(error instanceof Problem) || error.field === undefined) throw error;
    const text = error.message.slice(error.field.length + 2);
    throw invalidField(`observables.${place}.${error.field}`, text);
  }
}
