import type { Generated } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { AttackData } from "./attack.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    attack_data: AttackData & { is_only: Generated<boolean> };
  }
}

export interface AttackStore {
  find(): Promise<AttackData | undefined>;
}

export function createAttackStore(db: Db): AttackStore {
  return {
    find: () => db.selectFrom("attack_data").select(["matrices", "imported_by", "imported_at"]).executeTakeFirst(),
  };
}

export interface AttackWriter {
  put(data: AttackData): Promise<void>;
}

export function createAttackWriter(tx: Db): AttackWriter {
  return {
    async put(data) {
      await tx
        .insertInto("attack_data")
        .values(data)
        .onConflict((conflict) => conflict.column("is_only").doUpdateSet(data))
        .execute();
    },
  };
}
