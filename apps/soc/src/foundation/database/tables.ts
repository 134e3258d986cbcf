import type { Kysely, Transaction } from "kysely";

/**
 * Every table of the platform. A feature adds its own beside the store that owns them:
 * `declare module "…/tables.ts" { interface Tables { … } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add their tables to it.
export interface Tables {}

/** Satisfied by the database and by a transaction alike. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export type Tx = Transaction<Tables>;

export interface Database {
  db: Kysely<Tables>;
  /** Whether it answers now. The first answer ever also brings its tables up to date. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}
