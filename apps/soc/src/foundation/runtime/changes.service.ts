import type { Kysely } from "kysely";
import type { Caller } from "../caller/caller.ts";
import type { Tables, Tx } from "../database/tables.ts";
import { isPreview, type Outcome } from "./effects.ts";
import type { Effect } from "./mode-table.ts";
import type { RuntimeService } from "./runtime.service.ts";

export interface ChangesServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  db: Kysely<Tables>;
}
export type ChangesService = ReturnType<typeof createChangesService>;

/** Rolls a preview transaction back. */
class PreviewRollback extends Error {}

/** Runs every change in one transaction; in dry_run the transaction is rolled back. */
export function createChangesService({ runtime, db }: ChangesServiceDeps) {
  return {
    async run<Result>(
      caller: Caller,
      effect: Exclude<Effect, "none">,
      work: (tx: Tx) => Promise<Result>,
    ): Promise<Outcome<Result>> {
      const dry_run = isPreview(effect, caller.kind === "api_key", await runtime.truth());
      if (!dry_run) return { dry_run, result: await db.transaction().execute(work) };
      const results: Result[] = [];
      try {
        await db.transaction().execute(async (tx) => {
          results.push(await work(tx));
          throw new PreviewRollback("dry_run");
        });
      } catch (error) {
        if (!(error instanceof PreviewRollback)) throw error;
      }
      const [result] = results;
      if (result === undefined) throw new Error("a preview has no result");
      return { dry_run, result };
    },
  };
}
