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
  /** How far the clock of this host is ahead of the database's; undefined before the first answer. */
  clockOffsetMs(): number | undefined;
  /** Whether it has lately refused to write because its disk is full. */
  isDiskFull(): boolean;
  /**
   * Runs the work, and what it starts, so that PostgreSQL itself hides the records of other sites. Behind the scope that
   * stores take, this is the second wall.
   */
  limitTo: <Result>(sites: readonly string[], work: () => Result) => Result;
  close(): Promise<void>;
}
