import type { Kysely, Transaction } from "kysely";

/**
 * Every table of the platform. A feature declares its own tables beside the store that owns them: `declare module
 * "…/tables.ts" { interface Tables { … } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add their tables to it.
export interface Tables {}

/** The database or a transaction. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export type Tx = Transaction<Tables>;

export interface Database {
  db: Kysely<Tables>;
  /** Whether the database responds now. Its first response also runs the migrations. */
  isAvailable(): Promise<boolean>;
  /** How far the clock of this host is ahead of the database clock; undefined before the first response. */
  clockOffsetMs(): number | undefined;
  /** Whether it recently refused to write because its disk was full. */
  isDiskFull(): boolean;
  /**
   * Runs the work, and everything that it starts, so that PostgreSQL itself hides the records of other sites. This is
   * the second line of defence behind the scope that stores take.
   */
  limitTo: <Result>(sites: readonly string[], work: () => Result) => Result;
  close(): Promise<void>;
}
