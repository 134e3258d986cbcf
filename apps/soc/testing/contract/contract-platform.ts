import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import { hash } from "@node-rs/argon2";
import pg from "pg";
import type { PlatformSettings } from "../../src/boot/open-platform.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { signIn } from "../harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform, wholeWorker } from "../harness/whole-platform.ts";
import { absentLogStore } from "../servers/absent-log-store.ts";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startSharedLogStore } from "../servers/shared-log-store.ts";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The parsed JSON, which a test compares with the document; undefined for an empty body and for an event stream. */
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is what the tests check.
  body: any;
}

/** Installs the playbooks of the release, as a worker does at its start. */
export async function installPlaybooks({ databaseUrl = "", dataFolder, send }: ContractPlatform): Promise<void> {
  const worker = await wholeWorker(databaseUrl, dataFolder);
  const count = async () => (await send("GET /soar/playbooks?limit=200")).total;
  const deadline = clock.deadline(20_000);
  while ((await count()) < RELEASED_PLAYBOOKS && !deadline.aborted) await clock.sleep(100);
  await worker.close();
}

export interface Options {
  mode?: Mode;
  hasDatabase?: boolean;
  /** Starts a log engine with one stored log; otherwise the log store is unavailable. */
  hasLogs?: boolean;
  /** Shares the database, the data folder and the logs of another platform, which must be closed later. */
  on?: Pick<PlatformSettings, "databaseUrl" | "dataFolder"> & { logStore: LogStore };
  /** Allows the test to cut the connections to the database. */
  isProxied?: boolean;
  changed?: Parameters<typeof wholePlatform>[4];
}

const RELEASED_PLAYBOOKS = 10;
const clock = createClock();

type Headers = Record<string, string>;

/** An id that no record has. */
export const NOTHING = "0197f000-0000-7000-8000-00000000dead";
// A hash contains its own cost parameters, so cheap hashes make sign-in fast.
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** The whole service on its own database. A test selects the caller by role; `admin` is the default. */
export async function contractPlatform(options: Options = {}) {
  const { mode = "real", hasDatabase = true, hasLogs = false, on, isProxied = false, changed } = options;
  const url = on?.databaseUrl ?? (hasDatabase ? (await freshDatabase()).url : undefined);
  const logs = hasLogs ? await startSharedLogStore() : undefined;
  const logStore = on?.logStore ?? logs?.logStore ?? absentLogStore();
  const folder = on?.dataFolder ?? (await mkdtemp(join(tmpdir(), "contract-")));
  const port = new URL(url ?? "postgres://none").port;
  const proxy = isProxied ? await startFaultProxy(Number(port)) : undefined;
  const reached = proxy ? url?.replace(`:${port}`, `:${proxy.port}`) : url;
  const { app, close } = await wholePlatform(mode, reached, folder, logStore, changed);
  const owner = url === undefined ? undefined : new pg.Pool({ connectionString: url, max: 1 });
  const admin = await signIn(app);
  const tokens = new Map<string, Promise<Headers>>([["admin", Promise.resolve(admin)]]);
  const password_hash = await hash(ADMIN_PASSWORD, CHEAP);

  /** Queries the database directly as its owner. */
  async function query(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    if (!owner) throw new Error("this platform has no database");
    return (await owner.query(sql, values)).rows;
  }

  async function addUser(username: string, role: string): Promise<Headers> {
    const columns = "username, role, disabled, password_hash";
    await query(`INSERT INTO users (${columns}) VALUES ($1, $2, false, $3)`, [username, role, password_hash]);
    return signIn(app, username);
  }

  /** Returns the credentials of the user that is named like the role. */
  function credentials(role: string): Promise<Headers> {
    const known = tokens.get(role) ?? addUser(role, role);
    tokens.set(role, known);
    return known;
  }

  /** Sends "METHOD /path" under /api/v1. */
  async function askWith(headers: Headers, request: string, payload?: unknown): Promise<Answer> {
    const [method = "", path = ""] = request.split(" ");
    const url = path.startsWith("/health") ? path : `/api/v1${path}`;
    const sent = {
      method: method as "GET",
      url,
      headers,
      ...(payload !== undefined && { payload: payload as object }),
    };
    const answer = await app.inject({ ...sent, payloadAsStream: true });
    const read = { status: answer.statusCode, headers: answer.headers };
    if (String(answer.headers["content-type"]).startsWith("text/event-stream")) {
      answer.stream().destroy();
      return { ...read, body: undefined };
    }
    const chunks: Buffer[] = await answer.stream().toArray();
    const text = Buffer.concat(chunks).toString("utf8");
    return { ...read, body: text === "" ? undefined : JSON.parse(text) };
  }

  const ask = async (request: string, payload?: unknown, role = "admin") =>
    askWith(await credentials(role), request, payload);

  /** Sends a request that must succeed, and returns the body. */
  async function send(request: string, payload?: unknown, role = "admin") {
    const { status, body } = await ask(request, payload, role);
    if (status >= 300) throw new Error(`${request} answered ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async function addKey(scopes: string): Promise<Headers> {
    const name = scopes.replaceAll(/[: ]/g, "-");
    return { "x-api-key": (await send("POST /api-keys", { name, scopes: scopes.split(" ") })).key };
  }

  const keys = new Map<string, Promise<Headers>>();

  return {
    app,
    databaseUrl: url,
    dataFolder: folder,
    logStore,
    proxy,
    query,
    credentials,
    addUser,
    askWith,
    ask,
    send,
    /** An API key with these scopes, as headers. */
    keyFor: (scopes: string): Promise<Headers> => {
      const known = keys.get(scopes) ?? addKey(scopes);
      keys.set(scopes, known);
      return known;
    },
    close: async () => {
      await close();
      await owner?.end();
      await proxy?.close();
      await logs?.stop();
      if (!on) await rm(folder, { recursive: true });
    },
  };
}
export type ContractPlatform = Awaited<ReturnType<typeof contractPlatform>>;
