import type { Generated } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { AttackData } from "./attack.ts";
import type { SeenSource } from "./coverage.ts";

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

/** The showcase uses the ATT&CK data shipped with the product. */
export function createShowcaseAttackStore(): AttackStore {
  return { find: async () => undefined };
}

/** The ones of these sources that have logs in the demo story. */
export function findShownSources({ logs, log_counters }: Showcase, sources: readonly string[]): SeenSource[] {
  return sources.flatMap((source) => {
    const times = logs.filter((log) => log.source === source).map(({ ingested_at }) => Date.parse(ingested_at));
    if (times.length === 0) return [];
    const last_seen = new Date(times.reduce((a, b) => Math.max(a, b)));
    return [{ source, last_seen, silent_since: log_counters.get(source)?.silent_since ?? null }];
  });
}
