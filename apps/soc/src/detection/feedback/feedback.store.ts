import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import { hasValues, pageInMemory } from "../../foundation/lists/order.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { ListFeedbackQuery } from "./feedback.schema.ts";
import { type Feedback, NEWEST_FIRST } from "./feedback.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_feedback: Feedback;
  }
}

/** Reads outside of change transactions. */
export interface FeedbackStore {
  list(rule_id: string, query: ListFeedbackQuery): Promise<Page<Feedback>>;
}

export function createFeedbackStore(db: Db): FeedbackStore {
  return {
    list: (rule_id, query) => {
      let listed = db.selectFrom("detection_feedback").selectAll().where("rule_id", "=", rule_id);
      if (query.verdict !== undefined) listed = listed.where("verdict", "=", query.verdict);
      return readPage(db, listed, NEWEST_FIRST, query);
    },
  };
}

/** The writes of a transaction, and the reads that they need. */
export interface FeedbackWriter {
  insert(feedback: readonly Feedback[]): Promise<void>;
  /** The existing ones of these rules, regardless of who may see them. */
  findRules(rule_ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createFeedbackWriter(tx: Db): FeedbackWriter {
  return {
    async insert(feedback) {
      if (feedback.length > 0) await tx.insertInto("detection_feedback").values(feedback).execute();
    },

    async findRules(rule_ids) {
      const found = await tx
        .selectFrom("detection_rules")
        .select("id")
        .where("id", "in", [...new Set(rule_ids)])
        .execute();
      return new Set(found.map(({ id }) => id));
    },
  };
}

export function createShowcaseFeedbackStore(feedback: readonly Feedback[]): FeedbackStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(feedback, NEWEST_FIRST, query, (each) =>
        hasValues(each, { ...query, rule_id }, ["rule_id", "verdict"]),
      ),
  };
}
