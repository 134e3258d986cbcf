import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { type Comment, newestItemsFirst, type Observable, type Task } from "./case.ts";

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
  tasks(case_id: string, query: PageQuery): Promise<Page<Task>>;
  insertObservable(case_id: string, observable: Observable): Promise<void>;
  insertComment(case_id: string, comment: Comment): Promise<void>;
  insertTask(case_id: string, task: Task): Promise<void>;
  /** Locks the task until the transaction ends, and returns it. */
  lockTask(case_id: string, task_id: string): Promise<Task | undefined>;
  updateTask(task: Task): Promise<void>;
}

export function createCaseItemsStore(db: Db): CaseItemsStore {
  const selectTasks = (case_id: string) =>
    db
      .selectFrom("case_tasks")
      .select(["id", "title", "status", "assignee", "created_at", "updated_at"])
      .where("case_id", "=", case_id);
  return {
    observables(case_id, query) {
      const selected = db
        .selectFrom("case_observables")
        .select(["id", "type", "value", "source", "tags", "context", "created_at"])
        .where("case_id", "=", case_id);
      return readPage<Observable>(db, selected, newestItemsFirst("observables"), query);
    },

    comments(case_id, query) {
      const selected = db
        .selectFrom("case_comments")
        .select(["id", "author", "body", "created_at"])
        .where("case_id", "=", case_id);
      return readPage<Comment>(db, selected, newestItemsFirst("comments"), query);
    },

    tasks: (case_id, query) => readPage<Task>(db, selectTasks(case_id), newestItemsFirst("tasks"), query),

    async insertObservable(case_id, observable) {
      await db
        .insertInto("case_observables")
        .values({ case_id, ...observable })
        .execute();
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
  };
}
