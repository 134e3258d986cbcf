import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { ADMIN_PASSWORD } from "../worlds/whole-platform.ts";
import { fillEngine } from "./filled-engine.ts";
import { startServer } from "./server.ts";

/** A token lives longer. */
const TOKEN_MS = 5 * 60_000;
const BUILT = join(import.meta.dirname, "../../bundle/main.js");
const MANY = "10000000";
const ANSWER_MS = 60_000;
const START_MS = 60_000;
// Linux counts CPU time in hundredths of a second.
const TICK_MICROS = 10_000;
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
}

/** Starts the built product as in production: service, log engine and worker as processes, with PostgreSQL. */
export async function startProduct({ filledRows = 0, env = {} }: ProductOptions = {}) {
  const database = await startServer(undefined);
  const folder = mkdtempSync(join(tmpdir(), "bench-product-"));
  if (filledRows > 0) await fillEngine(join(folder, "logs"), { rows: filledRows });
  const port = await freePort();
  const service = await startProcess({
    command: process.execPath,
    args: [BUILT],
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
  // Use an API key, like a shipper: unlike a token, it does not expire during the run.
  const scopes = ["siem:ingest", "siem:read", "siem:search"];
  const { key } = await made("/api/v1/api-keys", { name: "bench", scopes }, await signIn());

  return {
    databaseUrl: database.url,
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
    /** As the administrator, who signs in again before the token expires. */
    async post(path: string, payload: object): Promise<Json> {
      return made(`/api/v1${path}`, payload, await signIn());
    },
    /** The answer in pieces, as they arrive. */
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
    cpuMicros: async () => readCpuMicros(service.pid),
    async stop() {
      await service.stop();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Product = Awaited<ReturnType<typeof startProduct>>;

async function readCpuMicros(pid: number): Promise<ReadonlyMap<string, number>> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ").filter(Boolean);
  const found = new Map<string, number>();
  for (const each of [String(pid), ...children]) {
    const [command, stat] = await Promise.all(
      ["cmdline", "stat"].map((name) => readFile(`/proc/${each}/${name}`, "utf8")),
    );
    const [, , ...fields] = (stat ?? "").slice((stat ?? "").lastIndexOf(")")).split(" ");
    const [user = "0", system = "0"] = fields.slice(10);
    const name = /main[\w-]*\.js/.exec(command ?? "")?.[0] ?? "other";
    found.set(name, (Number(user) + Number(system)) * TICK_MICROS);
  }
  return found;
}
