import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
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
export type CaseItemsStore = ReturnType<typeof createCaseItemsStore>;

export function createCaseItemsStore(db: Db) {
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
    observables: (case_id: string, query: PageQuery): Promise<Page<Observable>> =>
      readPage<Observable>(db, selectObservables(case_id), newestItemsFirst("observables"), query),

    comments: (case_id: string, query: PageQuery): Promise<Page<Comment>> =>
      readPage<Comment>(db, selectComments(case_id), newestItemsFirst("comments"), query),

    tasks: (case_id: string, query: TasksQuery): Promise<Page<Task>> =>
      readPage<Task>(db, selectTasks(case_id), toTaskOrder(query.sort), query),

    /** Returns false if an equal observable exists. */
    async insertObservable(case_id: string, observable: Observable): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("case_observables")
        .values({ case_id, ...observable })
        .onConflict((equal) => equal.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async insertComment(case_id: string, comment: Comment): Promise<void> {
      await db
        .insertInto("case_comments")
        .values({ case_id, ...comment })
        .execute();
    },

    async insertTask(case_id: string, task: Task): Promise<void> {
      await db
        .insertInto("case_tasks")
        .values({ case_id, ...task })
        .execute();
    },

    /** Locks the task until the transaction ends, and returns it. */
    async lockTask(case_id: string, task_id: string): Promise<Task | undefined> {
      if (!isUuid(task_id)) return undefined;
      return selectTasks(case_id).where("id", "=", task_id).forNoKeyUpdate().executeTakeFirst();
    },

    async updateTask({ id, ...fields }: Task): Promise<void> {
      await db.updateTable("case_tasks").set(fields).where("id", "=", id).execute();
    },

    async removeTask(task_id: string): Promise<void> {
      await db.deleteFrom("case_tasks").where("id", "=", task_id).execute();
    },

    findObservable: (
      case_id: string,
      { type, value }: Pick<Observable, "type" | "value">,
    ): Promise<Observable | undefined> =>
      selectObservables(case_id)
        .where("type", "=", type)
        .where(sql<boolean>`md5(value) = md5(${value})`)
        .executeTakeFirst(),

    async lockObservable(case_id: string, observable_id: string): Promise<Observable | undefined> {
      if (!isUuid(observable_id)) return undefined;
      return selectObservables(case_id).where("id", "=", observable_id).forUpdate().executeTakeFirst();
    },

    /** Returns false if the case has an equal observable. */
    async updateObservable(case_id: string, { id, ...fields }: Observable): Promise<boolean> {
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

    async removeObservable(observable_id: string): Promise<void> {
      await db.deleteFrom("case_observables").where("id", "=", observable_id).execute();
    },

    async lockComment(case_id: string, comment_id: string): Promise<Comment | undefined> {
      if (!isUuid(comment_id)) return undefined;
      return selectComments(case_id).where("id", "=", comment_id).forUpdate().executeTakeFirst();
    },

    async updateComment({ id, ...fields }: Comment): Promise<void> {
      await db.updateTable("case_comments").set(fields).where("id", "=", id).execute();
    },

    async removeComment(comment_id: string): Promise<void> {
      await db.deleteFrom("case_comments").where("id", "=", comment_id).execute();
    },
  };
}
