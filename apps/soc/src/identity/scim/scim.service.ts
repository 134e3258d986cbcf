import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { retryConflicts } from "../../foundation/runtime/retry-conflicts.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { findProvider, type ScimProvider } from "./scim-provider.ts";

export interface ScimServiceDeps {
  providers: readonly ScimProvider[];
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
}

export type ScimService = ReturnType<typeof createScimService>;

/** Who manages users, and how each of its requests runs. */
export function createScimService({ providers, db, runtime }: ScimServiceDeps) {
  return {
    /** Throws unless the request carries the token of a provider. In dummy no provider manages anything. */
    async admit(authorization: string | undefined): Promise<ScimProvider> {
      const provider = findProvider(providers, authorization);
      if (!provider) throw new Problem("unauthenticated", "Authorization: the bearer token of a provider is needed");
      const { mode, read_data_source } = await runtime.truth();
      if (mode === "dummy") throw new Problem("forbidden", "Runtime mode 'dummy' obeys no provider");
      if (read_data_source !== "database") throw new Problem("unavailable", "the database is unavailable");
      return provider;
    },

    /** One transaction for each request: it is done whole or not at all. */
    run: <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
      retryConflicts(() => db.transaction().execute(work)),
  };
}
