import type { Kysely, Transaction } from "kysely";

/**
 * Every table of the platform. A feature adds its own beside the store that owns them:
 * `declare module "…/tables.ts" { interface Tables { … } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add their tables to it.
export interface Tables {}

/** Either the database or a transaction. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export type Tx = Transaction<Tables>;

export interface Database {
  db: Kysely<Tables>;
  /** Whether the database answers now. Its first answer also runs the migrations. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
}
