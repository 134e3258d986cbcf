import { once } from "node:events";
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { hash } from "@node-rs/argon2";
import pg from "pg";
import { freshDatabase } from "../servers/fresh-database.ts";
import { startSharedLogStore } from "../servers/shared-log-store.ts";
import { ADMIN_PASSWORD as PASSWORD, wholePlatform } from "./whole-platform.ts";

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  /** Empty for an event stream, which is closed immediately. */
  body: string;
}

export interface SignedIn {
  token: string;
  sessionId: string;
}

// A hash contains its own cost parameters, so cheap hashes make sign-in fast.
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const WITH_BODY: readonly string[] = ["POST", "PUT", "PATCH"];

/** The whole service in real mode over the network, because headers are parsed there. */
export async function startCallersPlatform(changed: Parameters<typeof wholePlatform>[4] = {}) {
  const { url } = await freshDatabase();
  const { logStore, stop } = await startSharedLogStore();
  const platform = await wholePlatform("real", url, undefined, logStore, changed);
  const { app } = platform;
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const owner = new pg.Pool({ connectionString: url, max: 1 });
  const query = async (sql: string, values: string[] = []) => (await owner.query(sql, values)).rows;

  async function ask(method: string, path: string, headers: OutgoingHttpHeaders, body: object = {}): Promise<Answer> {
    const withBody = WITH_BODY.includes(method);
    const sent = withBody ? { ...headers, "content-type": "application/json" } : headers;
    const asked = request({ agent, port, host: "127.0.0.1", method, path, headers: sent });
    asked.end(withBody ? JSON.stringify(body) : undefined);
    const [answered] = (await once(asked, "response")) as [IncomingMessage];
    const isStream = answered.headers["content-type"]?.startsWith("text/event-stream");
    if (isStream) answered.destroy();
    const { statusCode: status = 0, headers: got } = answered;
    return { status, headers: got, body: isStream ? "" : await text(answered) };
  }

  async function signIn(username: string): Promise<SignedIn> {
    const { status, headers, body } = await ask("POST", "/api/v1/auth/token", {}, { username, password: PASSWORD });
    const [, sessionId] = /^__Host-soc_session=([^;]+);/.exec(headers["set-cookie"]?.[0] ?? "") ?? [];
    if (status !== 200 || !sessionId) throw new Error(`${username} cannot sign in: ${status} ${body}`);
    return { token: JSON.parse(body).access_token, sessionId };
  }

  // The administrator is created when the database first becomes available.
  const credentials = { username: "admin", password: PASSWORD };
  while ((await ask("POST", "/api/v1/auth/token", {}, credentials)).status === 503) await createClock().sleep(100);
  // No worker runs here, and without one the platform is not ready.
  await query("UPDATE detection_stream SET leader = 'worker', leads_until = 'infinity'");
  const password_hash = await hash(PASSWORD, CHEAP);
  await query("UPDATE users SET password_hash = $1", [password_hash]);
  const { token } = await signIn("admin");
  const asAdmin = async (method: string, path: string, body: object = {}) => {
    const answer = await ask(method, `/api/v1${path}`, { authorization: `Bearer ${token}` }, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  };

  const addUser = (username: string, role: string) => {
    const columns = "username, role, disabled, password_hash";
    return query(`INSERT INTO users (${columns}) VALUES ($1, $2, false, $3)`, [username, role, password_hash]);
  };

  return {
    app,
    ask,
    signIn,
    asAdmin,
    /** Queries the database directly as its owner. */
    query,
    addUser,
    async close() {
      agent.destroy();
      await platform.close();
      await owner.end();
      await stop();
    },
  };
}
export type CallersPlatform = Awaited<ReturnType<typeof startCallersPlatform>>;
