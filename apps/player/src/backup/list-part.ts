import { invalidField } from "@kit/problem";
import Type, { type Static, type TSchema } from "typebox";
import { type BackupPart, backupPart } from "../storage/backup-part.ts";

export interface ListPartDeps<Item extends TSchema> {
  name: string;
  Item: Item;
  maxItems: number;
  list: () => Static<Item>[];
  /** Values that must be unique in the list. */
  keysOf: (item: Static<Item>) => readonly string[];
  /** Checks that a schema cannot express; the field is the position of the item in the backup. */
  check: (item: Static<Item>, field: string) => void | Promise<void>;
  removeAll: () => void;
  /** Keeps the original id, because other records refer to it. */
  insert: (item: Static<Item>) => void;
  reload: () => void;
}

/** A list that a backup replaces as a whole. */
export function listPart<Item extends TSchema>(deps: ListPartDeps<Item>): BackupPart {
  const { name, Item, maxItems, list, keysOf, check, removeAll, insert, reload } = deps;
  return backupPart({
    name,
    Kept: Type.Array(Item, { maxItems }),
    read: list,
    async check(items) {
      checkKeys(name, items.map(keysOf));
      await Promise.all(items.map(async (item, at) => check(item, `${name}.${at}`)));
    },
    replace(items) {
      removeAll();
      for (const item of items) insert(item);
    },
    reload,
  });
}

function checkKeys(name: string, keysOfAll: readonly (readonly string[])[]): void {
  const seen = new Set<string>();
  for (const [at, keys] of keysOfAll.entries()) {
    for (const key of keys) {
      if (seen.has(key)) throw invalidField(`${name}.${at}`, `is there twice (${key})`);
      seen.add(key);
    }
  }
}
