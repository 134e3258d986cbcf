import { invalidField } from "@kit/problem";
import pg from "pg";
import { ROLE } from "./postgres-session.ts";

/** The servers of one database. If there are several, one is writable; which one may change at any time. */
export interface Servers {
  readonly count: number;
  /** The address of the server for the next connection. */
  current(): string;
  /** Reports that this server did not respond or is not writable: the next connection goes to the next server. */
  lose(address: string): void;
}

const MAX_SERVERS = 10;
const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s;
const STATE =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only, current_user AS role";
// Connection failures, shutdown, startup, and a read-only standby.
const UNREACHABLE_CODES = /^(08...|57P0[1235]|25006)$/;
const UNREACHABLE_MESSAGES =
  /^(Connection terminated|Client (was|has)|Query read timeout|timeout exceeded when trying to connect)/;

/** The server is a standby, or its sessions are read-only. */
class ReadOnlyServer extends Error {
  constructor() {
    super("the database server is read-only");
  }
}

/** Whether the failure means that the database is unreachable, not that the statement is wrong. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ReadOnlyServer) return true;
  if (error instanceof pg.DatabaseError) return UNREACHABLE_CODES.test(error.code ?? "");
  if (!(error instanceof Error)) return false;
  return "syscall" in error || error instanceof AggregateError || UNREACHABLE_MESSAGES.test(error.message);
}

const DISK_FULL = "53100";
const INTERNAL_ERROR = "XX000";
// Each first session after a schema change writes a file. The error for a full disk has no code of its own: relcache.c.
const WRITES_SESSION_FILE = "write_item";

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === DISK_FULL || (error.code === INTERNAL_ERROR && error.routine === WRITES_SESSION_FILE);
}

/**
 * Returns one address for each host of `postgres://user:password@host:port,host:port/name`. The client accepts one host
 * only.
 */
export function parseServers(url: string): string[] {
  const [, scheme = "", authority = "", rest = ""] = URL_PARTS.exec(url) ?? [];
  const end = authority.lastIndexOf("@") + 1;
  const hosts = authority.slice(end).split(",");
  return hosts.map((host) => `${scheme}${authority.slice(0, end)}${host}${rest}`);
}

/**
 * Returns why the text is not the address of one or several servers; undefined if it is. Never repeats the password.
 */
export function findUrlProblem(url: string): string | undefined {
  const addresses = parseServers(url);
  if (addresses.length > MAX_SERVERS) return `must name at most ${MAX_SERVERS} hosts`;
  const isUrl = addresses.every((address) => URL.canParse(address));
  return isUrl ? undefined : "must be postgres://user:password@host:port,host:port/name";
}

export function createServers(url: string): Servers {
  const addresses = parseServers(url);
  let index = 0;
  const current = () => addresses[index] ?? url;
  return {
    count: addresses.length,
    current,
    lose(address) {
      if (address === current()) index = (index + 1) % addresses.length;
    },
  };
}

/** Refuses a session that cannot write. A former primary that returns as a standby also accepts connections. */
async function readState(client: pg.ClientBase): Promise<{ role: string }> {
  const { rows } = await client.query<{ is_read_only: boolean; role: string }>(STATE);
  const [state = { is_read_only: true, role: "" }] = rows;
  if (state.is_read_only) throw new ReadOnlyServer();
  return state;
}

/**
 * Refuses a session that cannot write, or whose role is not the service's. A pooler that ignores connection options
 * leaves the session with the rights of the login.
 */
async function requireUsable(client: pg.ClientBase): Promise<void> {
  const { role } = await readState(client);
  if (role === ROLE) return;
  throw invalidField("SOC_DATABASE_URL", `sessions have the role '${role}' and must have ${ROLE}; log in as ${ROLE}`);
}

/** Creates a pool whose new connections lead to the writable server, with the role of the service. */
export function createServerPool(servers: Servers, settings: pg.PoolConfig): pg.Pool {
  const Client = createClientClass(servers);
  const onConnect = async (client: pg.ClientBase) => {
    try {
      await requireUsable(client);
    } catch (error) {
      if (isUnreachable(error) && client instanceof Client) servers.lose(client.address);
      throw error;
    }
  };
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise, which its types do not say
  return new pg.Pool({ ...settings, Client, onConnect });
}

/** As called by the pool; the library's types omit the null error of a success. */
type OnConnected = (error: Error | null, client: pg.Client) => void;

/** Clients that select their server on creation, and report a server that does not respond. */
function createClientClass(servers: Servers) {
  return class ServerClient extends pg.Client {
    readonly address: string;

    constructor(settings?: pg.ClientConfig) {
      const address = servers.current();
      super({ ...settings, connectionString: address });
      this.address = address;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: OnConnected): void;
    override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
      const connecting = super.connect().catch((error: unknown) => {
        if (isUnreachable(error)) servers.lose(this.address);
        throw error;
      });
      if (!callback) return connecting;
      void connecting.then(
        (client) => callback(null, client),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), this),
      );
      return undefined;
    }
  };
}

/** Opens one connection to the writable server with the rights of its login, for a command. */
export async function openOwnerPool(servers: Servers, connectMs: number): Promise<pg.Pool> {
  const connectionString = await findWritable(servers, connectMs);
  return new pg.Pool({ connectionString, connectionTimeoutMillis: connectMs, max: 1 });
}

/** Returns the address of the writable server, for libraries that open their own connections. */
export async function findWritable(servers: Servers, connectMs: number): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const address = servers.current();
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: connectMs });
    try {
      await client.connect();
      await readState(client);
      return address;
    } catch (error) {
      if (!isUnreachable(error) || tries >= servers.count) throw error;
      servers.lose(address);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
