import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { Database } from "../storage/database.ts";
import { Target } from "../targets/target.schema.ts";
import { CardBody } from "./cards.schema.ts";

export type CardsStore = ReturnType<typeof createCardsStore>;

const Row = Type.Object({ ...CardBody.properties, binding: Type.String() });
const Count = Type.Object({ count: Type.Integer() });

/** Each card is one row; its binding is stored as JSON. */
export function createCardsStore(database: Database) {
  const fields = "SELECT uid, name, binding, on_repeat, on_remove FROM cards";
  const selectAll = database.queryRecords(Row, `${fields} ORDER BY rowid`, toCard);
  const selectOne = database.queryRecords(Row, `${fields} WHERE uid = ?`, toCard);
  const selectCount = database.query(Count, "SELECT count(*) AS count FROM cards");
  const save = database.command(`
    INSERT INTO cards (uid, name, binding, on_repeat, on_remove) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (uid) DO UPDATE SET name = excluded.name, binding = excluded.binding,
      on_repeat = excluded.on_repeat, on_remove = excluded.on_remove
  `);
  const remove = database.command("DELETE FROM cards WHERE uid = ?");
  const removeAll = database.command("DELETE FROM cards");

  return {
    list(): CardBody[] {
      return selectAll.all();
    },

    find(uid: string): CardBody | undefined {
      return selectOne.first(uid);
    },

    count(): number {
      return selectCount.first()?.count ?? 0;
    },

    /** Replaces the card with the same UID. */
    save({ uid, name, binding, on_repeat, on_remove }: CardBody): void {
      save(uid, name, JSON.stringify(binding), on_repeat, on_remove);
    },

    /** Returns whether a card was removed. */
    remove(uid: string): boolean {
      return remove(uid).changes > 0;
    },

    removeAll(): void {
      removeAll();
    },
  };
}

function toCard(row: Static<typeof Row>): CardBody {
  return { ...row, binding: Value.Parse(Target, JSON.parse(row.binding)) };
}
