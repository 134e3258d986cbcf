import type { Static } from "typebox";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { FeedbackBody } from "./feedback.schema.ts";

/** A verdict of a user on the matches of a rule. */
export type Feedback = Static<typeof FeedbackBody>;

export const NEWEST_FIRST: Order<Feedback> = newestFirst("created_at");
