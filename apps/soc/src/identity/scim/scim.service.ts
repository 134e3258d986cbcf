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

/** The providers that manage users, and how their requests run. */
export function createScimService({ providers, db, runtime }: ScimServiceDeps) {
  return {
    /** Throws unless the request has the token of a provider. In dummy mode no provider may manage users. */
    async admit(authorization: string | undefined): Promise<ScimProvider> {
      const provider = findProvider(providers, authorization);
      if (!provider) throw new Problem("unauthenticated", "Authorization: the bearer token of a provider is required");
      const { mode, read_data_source } = await runtime.truth();
      if (mode === "dummy") throw new Problem("forbidden", "Runtime mode 'dummy' accepts no provider");
      if (read_data_source !== "database") throw new Problem("unavailable", "the database is unavailable");
      return provider;
    },

    /** One transaction per request, so that it takes effect completely or not at all. */
    run: <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
      retryConflicts(() => db.transaction().execute(work)),
  };
}
