import type { ClientBase } from "pg";

/** The role of every session that is not a migration; it may not change the ledger. */
export const ROLE = "soc_app";

/** The role of a session that reads for a caller of some sites: of each table it sees what a policy names. */
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

/** Settings of every connection: the same for this end of it, and for transactions that are left open. */
export const CONNECTION = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  idle_in_transaction_session_timeout: 20_000,
} as const;

/** For which sites a session of the pool reads now; it is not in here while it reads for all. */
const limited = new WeakMap<ClientBase, string>();

/** Makes the session read for these sites, or for all. It asks the server only when the last use was another one. */
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
