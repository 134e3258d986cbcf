import type { Clock } from "@kit/clock";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { ItemVersion } from "./case.ts";
import { createItemVersionsStore } from "./item-versions.store.ts";

export interface FormerItem extends Pick<ItemVersion, "item_type" | "change"> {
  case_id: string;
  item: { id: string };
}

/** Stores the version of an item before a change. */
export function createVersionKeeper(clock: Pick<Clock, "now">) {
  return async (tx: Tx, { username: changed_by }: Caller, { case_id, item, ...version }: FormerItem): Promise<void> => {
    const changed_at = clock.now();
    await createItemVersionsStore(tx).insert(case_id, { ...version, item_id: item.id, item, changed_by, changed_at });
  };
}
