import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { ADMIN_PASSWORD } from "../harness/whole-platform.ts";
import { fillEngine } from "./filled-engine.ts";
import { readMicrosByScript } from "./process-usage.ts";
import { startServer } from "./server.ts";

/** Shorter than the lifetime of a token. */
const TOKEN_MS = 5 * 60_000;
const THIS_RELEASE = join(import.meta.dirname, "../../../..");
const KEY_NAME = "bench";
/** The sender of all logs. */
export const SENDER = `key:${KEY_NAME}`;
const MANY = "10000000";
const ANSWER_MS = 60_000;
const START_MS = 60_000;
const clock = createClock();

type Json = ReturnType<typeof JSON.parse>;

interface Answer {
  status: number;
  body: Json;
}

export interface ProductOptions {
  /** The number of generated logs that the engine holds when it starts. */
  filledRows?: number;
  env?: Readonly<Record<string, string>>;
  /** The database, folder and API key of an earlier run. The caller deletes them. */
  earlier?: { databaseUrl: string; folder: string; key: string };
  /** The root of another built checkout. */
  release?: string | undefined;
}

/** Starts the built product as in production: service, log engine and worker as processes, with PostgreSQL. */
export async function startProduct({ filledRows = 0, env = {}, earlier, release = THIS_RELEASE }: ProductOptions = {}) {
  const database = await startServer(earlier?.databaseUrl);
  const folder = earlier?.folder ?? mkdtempSync(join(tmpdir(), "bench-product-"));
  if (filledRows > 0) await fillEngine(join(folder, "logs"), { rows: filledRows });
  const port = await freePort();
  const service = await startProcess({
    command: process.execPath,
    args: [join(release, "apps/soc/bundle/main.js")],
    env: {
      SOC_PORT: String(port),
      SOC_DATA_DIR: folder,
      SOC_ADMIN_PASSWORD: ADMIN_PASSWORD,
      SOC_MODE: "real",
      SOC_DATABASE_URL: database.url,
      SOC_LIMIT_ADDRESS_PER_MINUTE: MANY,
      SOC_LIMIT_GENERAL_PER_MINUTE: MANY,
      SOC_LIMIT_INVESTIGATE_PER_MINUTE: MANY,
      ...env,
    },
    readyWhen: / is ready at /,
    withinMs: START_MS,
  });
  const url = `http://127.0.0.1:${port}`;

  async function ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body ?? null,
      signal: clock.deadline(ANSWER_MS),
    });
    return { status: answer.status, body: await answer.json() };
  }

  async function made(path: string, payload: object, headers: Record<string, string> = {}): Promise<Json> {
    const json = { "content-type": "application/json", ...headers };
    const deadline = clock.deadline(START_MS);
    for (;;) {
      const { status, body } = await ask("POST", path, json, JSON.stringify(payload));
      if (status < 300) return body;
      if (status !== 503 || deadline.aborted) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`);
      await clock.sleep(100);
    }
  }

  let admin = { authorization: "" };
  let signedInMs = Number.NEGATIVE_INFINITY;
  async function signIn() {
    if (clock.monotonicMs() - signedInMs < TOKEN_MS) return admin;
    const { access_token } = await made("/api/v1/auth/token", { username: "admin", password: ADMIN_PASSWORD });
    signedInMs = clock.monotonicMs();
    admin = { authorization: `Bearer ${access_token}` };
    return admin;
  }
  // Uses an API key, like a shipper: unlike a token, it does not expire during the run.
  const scopes = ["siem:ingest", "siem:read", "siem:search"];
  const key = earlier?.key ?? (await made("/api/v1/api-keys", { name: KEY_NAME, scopes }, await signIn())).key;

  return {
    databaseUrl: database.url,
    databasePid: database.pid,
    folder,
    key,
    import: async (yaml: string): Promise<Json> => made("/api/v1/detections/rules/import", { yaml }, await signIn()),
    /** Throws unless all events were accepted. */
    async ingest(lines: string | Uint8Array<ArrayBuffer>, count: number, source: string): Promise<void> {
      const { status, body } = await ask("POST", `/api/v1/siem/ingest?source=${source}`, { "x-api-key": key }, lines);
      if (status !== 202 || body.accepted !== count) throw new Error(`ingest: ${status} ${JSON.stringify(body)}`);
    },
    async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<Json> {
      const { status, body } = await ask("GET", `/api/v1${path}?${new URLSearchParams(query)}`, { "x-api-key": key });
      if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`);
      return body;
    },
    /** Acts as the administrator, who signs in again before the token expires. */
    async post(path: string, payload: object): Promise<Json> {
      return made(`/api/v1${path}`, payload, await signIn());
    },
    /** Returns the response in chunks as they arrive. */
    async stream(path: string, payload: object): Promise<AsyncIterable<Uint8Array>> {
      const headers = { ...(await signIn()), "content-type": "application/json" };
      const signal = clock.deadline(ANSWER_MS);
      const { status, body } = await fetch(`${url}/api/v1${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(payload),
        signal,
      });
      if (status !== 200 || !body) throw new Error(`${path} answered ${status}`);
      return body;
    },
    /** The CPU time of the service and its children so far, in microseconds, by script name. */
    cpuMicros: async () => readMicrosByScript(service.pid),
    /** Ends the processes of the product; database and folder remain. */
    end: () => service.stop(),
    async stop() {
      await service.stop();
      await database.stop();
      if (!earlier) rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Product = Awaited<ReturnType<typeof startProduct>>;
