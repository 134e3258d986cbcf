import { Problem } from "@kit/problem";
import pg from "pg";
import { createServers, findWritable } from "../postgres-servers.ts";

export interface ConnectedDatabase {
  client: pg.Client;
  /** Of the writable server. */
  address: string;
}

const CONNECT_MS = 10_000;

/** Connects to the writable one of the servers that the address names. */
export function connectDatabase(url: string): Promise<ConnectedDatabase> {
  return connect(url).catch(unreachable);
}

async function connect(url: string): Promise<ConnectedDatabase> {
  const address = await findWritable(createServers(url), CONNECT_MS);
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS });
  // A connection that is lost while it is idle fails the next query, which says so.
  client.on("error", () => undefined);
  await client.connect();
  return { client, address };
}

/** The message of the library may quote the address, and with it the password. */
function unreachable(cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  throw new Problem("unavailable", `SOC_DATABASE_URL: the database does not answer${code}`, { cause });
}
