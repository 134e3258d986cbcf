import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { type Comment, newestItemsFirst, type Observable, type Task, toTaskOrder } from "./case.ts";
import type { TasksQuery } from "./case-items.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    case_observables: Observable & { case_id: string };
    case_comments: Comment & { case_id: string };
    case_tasks: Task & { case_id: string };
  }
}

/** The items of a case; lists are newest first. */
export interface CaseItemsStore {
  observables(case_id: string, query: PageQuery): Promise<Page<Observable>>;
  comments(case_id: string, query: PageQuery): Promise<Page<Comment>>;
  tasks(case_id: string, query: TasksQuery): Promise<Page<Task>>;
  /** Returns whether it is new: equal observables are stored once. */
  insertObservable(case_id: string, observable: Observable): Promise<boolean>;
  insertComment(case_id: string, comment: Comment): Promise<void>;
  insertTask(case_id: string, task: Task): Promise<void>;
  /** Locks the task until the transaction ends, and returns it. */
  lockTask(case_id: string, task_id: string): Promise<Task | undefined>;
  updateTask(task: Task): Promise<void>;
  removeTask(task_id: string): Promise<void>;
  findObservable(case_id: string, equal: Pick<Observable, "type" | "value">): Promise<Observable | undefined>;
  lockObservable(case_id: string, observable_id: string): Promise<Observable | undefined>;
  /** Returns false when the case has an equal observable. */
  updateObservable(case_id: string, observable: Observable): Promise<boolean>;
  removeObservable(observable_id: string): Promise<void>;
  lockComment(case_id: string, comment_id: string): Promise<Comment | undefined>;
  updateComment(comment: Comment): Promise<void>;
  removeComment(comment_id: string): Promise<void>;
}

export function createCaseItemsStore(db: Db): CaseItemsStore {
  const selectTasks = (case_id: string) =>
    db
      .selectFrom("case_tasks")
      .select(["id", "title", "status", "assignee", "position", "created_at", "updated_at"])
      .where("case_id", "=", case_id);
  const selectObservables = (case_id: string) =>
    db
      .selectFrom("case_observables")
      .select(["id", "type", "value", "source", "tags", "context", "created_at", "edited_at"])
      .where("case_id", "=", case_id);
  const selectComments = (case_id: string) =>
    db
      .selectFrom("case_comments")
      .select(["id", "author", "body", "created_at", "edited_at"])
      .where("case_id", "=", case_id);
  return {
    observables: (case_id, query) =>
      readPage<Observable>(db, selectObservables(case_id), newestItemsFirst("observables"), query),

    comments: (case_id, query) => readPage<Comment>(db, selectComments(case_id), newestItemsFirst("comments"), query),

    tasks: (case_id, query) => readPage<Task>(db, selectTasks(case_id), toTaskOrder(query.sort), query),

    async insertObservable(case_id, observable) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("case_observables")
        .values({ case_id, ...observable })
        .onConflict((equal) => equal.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async insertComment(case_id, comment) {
      await db
        .insertInto("case_comments")
        .values({ case_id, ...comment })
        .execute();
    },

    async insertTask(case_id, task) {
      await db
        .insertInto("case_tasks")
        .values({ case_id, ...task })
        .execute();
    },

    async lockTask(case_id, task_id) {
      if (!isUuid(task_id)) return undefined;
      return selectTasks(case_id).where("id", "=", task_id).forNoKeyUpdate().executeTakeFirst();
    },

    async updateTask({ id, ...fields }) {
      await db.updateTable("case_tasks").set(fields).where("id", "=", id).execute();
    },

    async removeTask(task_id) {
      await db.deleteFrom("case_tasks").where("id", "=", task_id).execute();
    },

    findObservable: (case_id, { type, value }) =>
      selectObservables(case_id)
        .where("type", "=", type)
        .where(sql<boolean>`md5(value) = md5(${value})`)
        .executeTakeFirst(),

    async lockObservable(case_id, observable_id) {
      if (!isUuid(observable_id)) return undefined;
      return selectObservables(case_id).where("id", "=", observable_id).forUpdate().executeTakeFirst();
    },

    async updateObservable(case_id, { id, ...fields }) {
      const isTaken = sql<boolean>`EXISTS (SELECT FROM case_observables AS other WHERE other.case_id = ${case_id}
        AND other.type = ${fields.type} AND md5(other.value) = md5(${fields.value}) AND other.id <> ${id})`;
      const { numUpdatedRows } = await db
        .updateTable("case_observables")
        .set(fields)
        .where("id", "=", id)
        .where(sql<boolean>`NOT ${isTaken}`)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async removeObservable(observable_id) {
      await db.deleteFrom("case_observables").where("id", "=", observable_id).execute();
    },

    async lockComment(case_id, comment_id) {
      if (!isUuid(comment_id)) return undefined;
      return selectComments(case_id).where("id", "=", comment_id).forUpdate().executeTakeFirst();
    },

    async updateComment({ id, ...fields }) {
      await db.updateTable("case_comments").set(fields).where("id", "=", id).execute();
    },

    async removeComment(comment_id) {
      await db.deleteFrom("case_comments").where("id", "=", comment_id).execute();
    },
  };
}
