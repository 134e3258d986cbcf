import { pageInMemory } from "../../foundation/lists/order.ts";
import type { FeedbackStore } from "./feedback.store.ts";
import { type Feedback, NEWEST_FIRST } from "./feedback.ts";

export function createShowcaseFeedbackStore(feedback: readonly Feedback[]): FeedbackStore {
  return {
    list: async (rule_id, query) =>
      pageInMemory(
        feedback,
        NEWEST_FIRST,
        query,
        (each) => each.rule_id === rule_id && (query.verdict === undefined || query.verdict === each.verdict),
      ),
  };
}
