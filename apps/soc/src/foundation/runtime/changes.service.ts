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

/** Ends a transaction that is to leave nothing behind. */
class TakenBack extends Error {}

/** Everything that changes something happens in here: one transaction, or in dry_run the same one taken back. */
export function createChangesService({ runtime, db }: ChangesServiceDeps) {
  return {
    async run<Result>(
      caller: Caller,
      effect: Exclude<Effect, "none">,
      work: (tx: Tx) => Promise<Result>,
    ): Promise<Outcome<Result>> {
      const dry_run = isPreview(effect, caller.kind === "api_key", await runtime.truth());
      if (!dry_run) return { dry_run, result: await db.transaction().execute(work) };
      const taken: Result[] = [];
      try {
        await db.transaction().execute(async (tx) => {
          taken.push(await work(tx));
          throw new TakenBack("dry_run");
        });
      } catch (error) {
        if (!(error instanceof TakenBack)) throw error;
      }
      const [result] = taken;
      if (result === undefined) throw new Error("a preview has no result");
      return { dry_run, result };
    },
  };
}
