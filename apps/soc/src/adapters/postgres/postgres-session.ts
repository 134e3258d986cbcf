import type { ClientBase } from "pg";

/** The role of every session that is not a migration; it may not change the ledger. */
export const ROLE = "soc_app";

/**
 * The role of a session that reads for a caller restricted to sites: it sees only what the policies of a table allow.
 */
const SITE_ROLE = "soc_site";

/**
 * A machine that loses power closes no connection. With these settings the server detects it within 25 seconds and
 * releases its locks; the last one covers data that was sent and never acknowledged.
 */
export const DETECT_DEAD_PEER = [
  "-c tcp_keepalives_idle=10",
  "-c tcp_keepalives_interval=5",
  "-c tcp_keepalives_count=3",
  "-c tcp_user_timeout=25000",
].join(" ");

/** Settings of every connection: the same for the client side, and for transactions that are left open. */
export const CONNECTION = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  idle_in_transaction_session_timeout: 20_000,
} as const;

/** The sites that a session of the pool currently reads for; missing while it reads for all. */
const limited = new WeakMap<ClientBase, string>();

/** Makes the session read for these sites, or for all. Queries the server only if the previous use was different. */
export async function limitSession(client: ClientBase, sites: readonly string[] | undefined): Promise<void> {
  const wanted = sites && JSON.stringify(sites);
  if (limited.get(client) === wanted) return;
  const role = sites === undefined ? ROLE : SITE_ROLE;
  await client.query("SELECT set_config('role', $1, false), set_config('soc.sites', $2::text[]::text, false)", [
    role,
    [...(sites ?? [])],
  ]);
  if (wanted === undefined) limited.delete(client);
  else limited.set(client, wanted);
}
