import type { Static } from "typebox";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { InboxItemBody } from "./inbox.schema.ts";

export type InboxItem = Static<typeof InboxItemBody>;
export type InboxKind = InboxItem["kind"];

export const NEWEST_FIRST: Order<InboxItem> = newestFirst("at");
