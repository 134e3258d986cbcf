import { Problem } from "@kit/problem";
import pg from "pg";
import { createServers, findWritable } from "../postgres/postgres-servers.ts";

export interface ConnectedDatabase {
  client: pg.Client;
  /** The address of the writable server. */
  address: string;
}

const CONNECT_MS = 10_000;

/** Connects to the writable server among those that the address names. */
export function connectDatabase(url: string): Promise<ConnectedDatabase> {
  return connect(url).catch(unreachable);
}

async function connect(url: string): Promise<ConnectedDatabase> {
  const address = await findWritable(createServers(url), CONNECT_MS);
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS });
  // A connection that is lost while idle fails the next query, which reports it.
  client.on("error", () => undefined);
  await client.connect();
  return { client, address };
}

/** The library's message may quote the address, and with it the password. */
function unreachable(cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  throw new Problem("unavailable", `SOC_DATABASE_URL: the database does not answer${code}`, { cause });
}
