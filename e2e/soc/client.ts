import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { onTestFinished } from "vitest";
import { ADMIN_PASSWORD, type StartedService, startService } from "../services.ts";

type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
  tookMs: number;
}

export type SocClient = ReturnType<typeof createSocClient>;

export interface StartedSoc {
  service: StartedService;
  /** Sends requests as the administrator. */
  client: SocClient;
}

const clock = createClock();
const ANSWER_MS = 30_000;
/** As long as a service may take to start, because it first migrates a new database. */
const SIGNED_IN_MS = 90_000;
const MANY = "10000000";
const VERIFIER = new URL("../../apps/soc/bundle/main-verify.js", import.meta.url).pathname;

/** A client of one API process with the given token. Rejects when the connection breaks. */
export function createSocClient(url: string, token?: string) {
  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const start = clock.monotonicMs();
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: clock.deadline(ANSWER_MS),
    });
    const { status, headers } = response;
    return { status, headers, body: await response.json(), tookMs: clock.monotonicMs() - start };
  }

  return {
    ask,
    get: (path: string) => ask("GET", `/api/v1${path}`),
    post: (path: string, body: object) => ask("POST", `/api/v1${path}`, body),
    patch: (path: string, body: object) => ask("PATCH", `/api/v1${path}`, body),
    signIn: (username: string, password: string) => ask("POST", "/api/v1/auth/token", { username, password }),

    /** All items of a list, over all pages. */
    async list(path: string): Promise<Json[]> {
      const items: Json[] = [];
      for (let cursor = ""; ; ) {
        const { status, body } = await ask("GET", `/api/v1${path}?limit=200${cursor}`);
        if (status !== 200) throw new Error(`${path} cannot be listed: ${status} ${JSON.stringify(body)}`);
        items.push(...body.items);
        if (body.next_cursor === null) return items;
        cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
      }
    },
  };
}

/**
 * Signs in as another administrator, who creates the accounts of a test with four eyes: for 30 days, a person and the
 * accounts that this person created count as one.
 */
export async function createInstaller({ service, client }: StartedSoc, password: string): Promise<SocClient> {
  const { status } = await client.post("/users", { username: "installer", password, role: "admin" });
  if (status !== 201) throw new Error(`creating the installer was answered with ${status}`);
  const url = service.url;
  return createSocClient(url, await requestToken(createSocClient(url), "installer", password));
}

/** Signs a user in as soon as the database is available, and returns the token. */
export async function requestToken(
  { signIn }: SocClient,
  username = "admin",
  password = ADMIN_PASSWORD,
): Promise<string> {
  const deadline = clock.deadline(SIGNED_IN_MS);
  for (;;) {
    const { status, body } = await signIn(username, password);
    if (status === 200) return body.access_token;
    if (status !== 503) throw new Error(`${username} cannot sign in: ${status} ${JSON.stringify(body)}`);
    await clock.sleep(50, deadline);
  }
}

/** The same as `startSoc` for one test: it is stopped when the test is over. */
export async function startSocForTest(databaseUrl: string, env: Record<string, string> = {}): Promise<StartedSoc> {
  const soc = await startSoc(databaseUrl, env);
  onTestFinished(async () => {
    await soc.service.stop();
  });
  return soc;
}

/** Starts one built API process in real mode, without rate limits unless the environment sets them. */
export async function startSoc(databaseUrl: string, env: Record<string, string> = {}): Promise<StartedSoc> {
  const service = await startService("soc", {
    SOC_MODE: "real",
    SOC_DATABASE_URL: databaseUrl,
    SOC_LIMIT_ADDRESS_PER_MINUTE: MANY,
    SOC_LIMIT_GENERAL_PER_MINUTE: MANY,
    ...env,
  });
  return { service, client: createSocClient(service.url, await requestToken(createSocClient(service.url))) };
}

/** Starts two API processes of one platform, with a shared database and data folder. */
export async function startTwoForTest(databaseUrl: string, env: Record<string, string> = {}) {
  const first = await startSocForTest(databaseUrl, env);
  const SOC_DATA_DIR = first.service.dataFolder;
  return { first, second: await startSocForTest(databaseUrl, { ...env, SOC_DATA_DIR }) };
}

/** Makes the processes open their connection pools, so that later measurements do not include it. */
export async function warmUp(clients: readonly SocClient[]): Promise<void> {
  await askConcurrently(clients, 20 * clients.length, ({ get }) => get("/alerts"));
}

const MAX_TRIES = 20;

/**
 * Sends the same request many times at once, alternating between the clients, and returns all answers. On a busy
 * machine some are refused with 503 without effect: they are retried, as a sensor would do.
 */
export function askConcurrently(
  clients: readonly SocClient[],
  times: number,
  ask: (client: SocClient, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const askUntilDone = async (client: SocClient, index: number) => {
    let answer = await ask(client, index);
    for (let tries = 1; answer.status === 503 && tries < MAX_TRIES; tries += 1) answer = await ask(client, index);
    return answer;
  };
  const turns = Array.from({ length: Math.ceil(times / clients.length) }, () => clients).flat();
  return Promise.all(turns.slice(0, times).map(askUntilDone));
}

/** The number of answers per status. */
export function countStatuses(answers: readonly Pick<Answer, "status">[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export async function openCase({ post }: SocClient): Promise<string> {
  return (await post("/cases", { title: "Intrusion at the dam" })).body.id;
}

export const addEvidence = ({ post }: SocClient, caseId: string, name: string) =>
  post(`/cases/${caseId}/evidence`, { name, evidence_type: "disk image", sha256: "ab".repeat(32) });

/** The bundle of a case as soon as the platform answers. */
async function readBundle({ get }: SocClient, caseId: string): Promise<Json> {
  const deadline = clock.deadline(ANSWER_MS);
  for (;;) {
    const { status, body } = await get(`/ledger/bundle?case_id=${caseId}`);
    if (status === 200) return body;
    if (status !== 503) throw new Error(`no bundle: ${status} ${JSON.stringify(body)}`);
    await clock.sleep(200, deadline);
  }
}

/** The output of `manara-soc verify` for a case's ledger. */
export async function verifyLedger(client: SocClient, caseId: string, ...against: string[]): Promise<string> {
  const bundle = await readBundle(client, caseId);
  const folder = await mkdtemp(join(tmpdir(), "soc-bundle-"));
  try {
    const path = join(folder, "bundle.json");
    await writeFile(path, JSON.stringify(bundle));
    return await new Promise((resolve) => {
      execFile(process.execPath, [VERIFIER, "verify", path, ...against], (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
