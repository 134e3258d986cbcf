import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, isCallerAllowed, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { changesBetween, formatChanges, requireSome, shorten } from "../../foundation/records/field-changes.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { type Comment, type ItemVersion, type Observable, toVersion } from "./case.ts";
import { createItemRecorder, requireShortContext } from "./case-item.ts";
import { createVersionKeeper } from "./case-item-versions.ts";
import type { CommentRequest, HistoryQuery, UpdateObservableRequest } from "./case-items.schema.ts";
import { createCaseItemsStore } from "./case-items.store.ts";
import type { CasesService } from "./cases.service.ts";
import { listMentions } from "./mentions.ts";

export interface CaseItemEditsServiceDeps {
  cases: Pick<CasesService, "keep" | "look" | "note">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type CaseItemEditsService = ReturnType<typeof createCaseItemEditsService>;

interface RemoveResult {
  deleted: boolean;
  id: string;
}

const OBSERVABLE_FIELDS = ["type", "value", "source", "tags", "context"] as const;

/** Edits and removes items of a case. The timeline records the previous value. */
export function createCaseItemEditsService({ cases, audit, clock }: CaseItemEditsServiceDeps) {
  const record = createItemRecorder({ cases, audit });
  const keepVersion = createVersionKeeper(clock);

  async function lockObservable(tx: Tx, caller: Caller, in_case: string, observable_id: string) {
    const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
    const observable = await createCaseItemsStore(tx).lockObservable(case_id, observable_id);
    if (!observable) throw notFound("observable", observable_id);
    return { case_id, observable };
  }

  async function lockComment(tx: Tx, caller: Caller, in_case: string, comment_id: string) {
    const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
    const comment = await createCaseItemsStore(tx).lockComment(case_id, comment_id);
    if (!comment) throw notFound("comment", comment_id);
    return { case_id, comment };
  }

  return {
    /** Lists the versions of items before they were edited or removed. */
    history: (scope: Scope, case_id: string, query: HistoryQuery): Promise<Page<ItemVersion>> =>
      cases.look(scope, case_id, (source, { id }) => source.history(id, query)),

    async updateObservable(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, observable_id }: { case_id: string; observable_id: string },
      request: UpdateObservableRequest,
      ifMatch?: string,
    ): Promise<Observable> {
      requireSome(request, OBSERVABLE_FIELDS);
      requireStorable(request);
      requireShortContext(request);
      const { case_id, observable } = await lockObservable(tx, caller, in_case, observable_id);
      requireMatch(ifMatch, toVersion(observable));
      const edited_at = updatedAt(toVersion(observable), clock.now());
      const next = { ...observable, ...request, edited_at };
      const changes = changesBetween(observable, next, OBSERVABLE_FIELDS);
      if (changes.length === 0) return observable;
      await keepVersion(tx, caller, { case_id, item_type: "observable", change: "edited", item: observable });
      if (!(await createCaseItemsStore(tx).updateObservable(case_id, next))) {
        throw new Problem(
          "conflict",
          `value: the case already has the observable ${next.type} '${shorten(next.value)}'`,
        );
      }
      await record(tx, caller, {
        case_id,
        sentence: `observable ${observable.type} ${shorten(observable.value)} ${formatChanges(changes)}`,
        action: "observable.updated",
        subject_type: "observable",
        subject_id: observable.id,
        details: { changes },
      });
      return next;
    },

    async removeObservable(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, observable_id }: { case_id: string; observable_id: string },
      ifMatch?: string,
    ): Promise<RemoveResult> {
      const { case_id, observable } = await lockObservable(tx, caller, in_case, observable_id);
      const { id, type, value, source, tags, context } = observable;
      requireMatch(ifMatch, toVersion(observable));
      await keepVersion(tx, caller, { case_id, item_type: "observable", change: "removed", item: observable });
      await createCaseItemsStore(tx).removeObservable(id);
      await record(tx, caller, {
        case_id,
        sentence: `observable removed: ${type} ${shorten(value)}`,
        action: "observable.deleted",
        subject_type: "observable",
        subject_id: id,
        details: { type, value, source, tags, context },
      });
      return { deleted: true, id };
    },

    /** Only the author edits a comment, because it is shown under the author's name. */
    async updateComment(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, comment_id }: { case_id: string; comment_id: string },
      { body }: CommentRequest,
      ifMatch?: string,
    ): Promise<Comment> {
      requireStorable({ body });
      const { case_id, comment } = await lockComment(tx, caller, in_case, comment_id);
      if (comment.author !== caller.username) {
        throw new Problem("forbidden", `comment '${comment_id}' can only be edited by its author`);
      }
      requireMatch(ifMatch, toVersion(comment));
      if (comment.body === body) return comment;
      const named = listMentions(comment.body);
      const next = { ...comment, body, edited_at: updatedAt(toVersion(comment), clock.now()) };
      await keepVersion(tx, caller, { case_id, item_type: "comment", change: "edited", item: comment });
      await createCaseItemsStore(tx).updateComment(next);
      await record(tx, caller, {
        case_id,
        sentence: `comment edited; it was: ${shorten(comment.body)}`,
        action: "comment.updated",
        subject_type: "comment",
        subject_id: comment.id,
        details: { previous_body: comment.body, mentions: listMentions(body).filter((name) => !named.includes(name)) },
      });
      return next;
    },

    /** Only the author, or a caller who may delete whole cases, removes a comment. */
    async removeComment(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, comment_id }: { case_id: string; comment_id: string },
      ifMatch?: string,
    ): Promise<RemoveResult> {
      const { case_id, comment } = await lockComment(tx, caller, in_case, comment_id);
      const { id, author, body } = comment;
      if (author !== caller.username && !isCallerAllowed(caller, ["cases:delete"])) {
        throw new Problem(
          "forbidden",
          `comment '${comment_id}' can only be removed by its author or with cases:delete`,
        );
      }
      requireMatch(ifMatch, toVersion(comment));
      await keepVersion(tx, caller, { case_id, item_type: "comment", change: "removed", item: comment });
      await createCaseItemsStore(tx).removeComment(id);
      await record(tx, caller, {
        case_id,
        sentence: `comment of ${author} removed; it was: ${shorten(body)}`,
        action: "comment.deleted",
        subject_type: "comment",
        subject_id: id,
        details: { author, previous_body: body },
      });
      return { deleted: true, id };
    },

    async removeTask(
      tx: Tx,
      caller: Caller,
      { case_id: in_case, task_id }: { case_id: string; task_id: string },
      ifMatch?: string,
    ): Promise<RemoveResult> {
      const { id: case_id } = await cases.keep(tx, toScope(caller), in_case);
      const store = createCaseItemsStore(tx);
      const task = await store.lockTask(case_id, task_id);
      if (!task) throw notFound("task", task_id);
      const { id, title, status, assignee } = task;
      requireMatch(ifMatch, task);
      await keepVersion(tx, caller, { case_id, item_type: "task", change: "removed", item: task });
      await store.removeTask(id);
      await record(tx, caller, {
        case_id,
        sentence: `task removed: ${shorten(title)}, which was ${status}`,
        action: "task.deleted",
        subject_type: "task",
        subject_id: id,
        details: { title, status, assignee },
      });
      return { deleted: true, id };
    },
  };
}
