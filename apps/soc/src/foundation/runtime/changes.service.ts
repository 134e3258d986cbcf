import type { Kysely } from "kysely";
import { type Caller, callerOf, type RequestOfCaller } from "../caller/caller.ts";
import type { Tables, Tx } from "../database/tables.ts";
import { isPreview, type Outcome } from "./effects.ts";
import type { Effect } from "./mode-table.ts";
import { retryConflicts } from "./retry-conflicts.ts";
import type { RuntimeService } from "./runtime.service.ts";

export interface ChangesServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  db: Kysely<Tables>;
}
export type ChangesService = ReturnType<typeof createChangesService>;

type ChangeEffect = Exclude<Effect, "none">;

/** A request to a route that declares its effect. */
export interface ChangeRequest extends RequestOfCaller {
  routeOptions: RequestOfCaller["routeOptions"] & { config: { effect?: Effect } };
}

/** Thrown to roll back a transaction that must leave no trace. */
class TakenBack extends Error {}

/**
 * Runs every change in one transaction, which is repeated if it conflicts with another one. In dry_run the transaction
 * is rolled back and its result is the preview.
 */
export function createChangesService({ runtime, db }: ChangesServiceDeps) {
  async function runAs<Result>(
    caller: Caller,
    effect: ChangeEffect,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Outcome<Result>> {
    const dry_run = isPreview(effect, caller.kind === "api_key", await runtime.truth());
    const result = await retryConflicts(() => (dry_run ? preview(work) : db.transaction().execute(work)));
    return { dry_run, result };
  }

  async function preview<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
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
    return result;
  }

  return {
    /** Makes a change with the caller of the request and the effect that its route declares. */
    async run<Result>(
      request: ChangeRequest,
      work: (tx: Tx, caller: Caller) => Promise<Result>,
    ): Promise<Outcome<Result>> {
      const caller = callerOf(request);
      return runAs(caller, effectOf(request), (tx) => work(tx, caller));
    },

    /** Makes a change outside of a route handler. */
    runAs,
  };
}

function effectOf({ routeOptions: { url, config } }: ChangeRequest): ChangeEffect {
  if (!config.effect || config.effect === "none")
    throw new Error(`${url} declares no effect and must not change anything`);
  return config.effect;
}
