import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Answer,
  askConcurrently,
  countStatuses,
  createSocClient,
  requestToken,
  type SocClient,
  type StartedSoc,
  startSoc,
} from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";

// The limits of the API document, in one built process on a real database.
const GENERAL = 100;
const PLAYBOOKS = 5;
const PASSWORD = "correct horse battery";

const clock = createClock();
let database: TestDatabase;
let soc: StartedSoc;

beforeAll(async () => {
  database = await startDatabase();
  soc = await startSoc(database.url, { SOC_LIMIT_GENERAL_PER_MINUTE: String(GENERAL) });
}, 120_000);
afterAll(async () => {
  await soc.service.stop();
  await database.remove();
});

/** A caller with separate rate limits: a token for `/mcp`, and a client for the routes. */
async function createCaller(
  username: string,
): Promise<{ client: SocClient; post: (body: unknown) => Promise<Answer> }> {
  await soc.client.post("/users", { username, password: PASSWORD, role: "admin" });
  const { url } = soc.service;
  const token = await requestToken(createSocClient(url), username, PASSWORD);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  return {
    client: createSocClient(url, token),
    async post(body) {
      const answer = await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, headers: answer.headers, body: await answer.text(), tookMs: 0 };
    },
  };
}

const message = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const callOf = (id: number, name: string, given: object) => message(id, "tools/call", { name, arguments: given });

function expectRefusal({ status, headers, body }: Answer, limit: number): void {
  expect(status).toBe(429);
  expect(JSON.parse(body)).toEqual({ detail: `more than ${limit} requests a minute; see Retry-After` });
  expect(headers.get("ratelimit-limit")).toBe(String(limit));
  const seconds = Number(headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
}

it(`answers the request after ${GENERAL} in a minute with 429, counting calls by MCP and HTTP together`, async () => {
  const { client, post } = await createCaller("counted");
  const given = { value: "192.0.2.1" };
  const answers = await askConcurrently([client], GENERAL + 20, (_client, index) =>
    index % 2 === 0 ? post(callOf(index, "lookup_ioc", given)) : client.post("/tools/lookup_ioc", given),
  );
  expect(countStatuses(answers)).toEqual({ 200: GENERAL, 429: 20 });
  expectRefusal(await post(callOf(101, "lookup_ioc", given)), GENERAL);
  expectRefusal(await post(message(102, "ping")), GENERAL);
  expect((await client.post("/tools/lookup_ioc", given)).status).toBe(429);
});

it(`counts execute_playbook by MCP in the limit of ${PLAYBOOKS} executions a minute, together with the routes`, async () => {
  const { client, post } = await createCaller("playing");
  const given = { playbook_id: "absent", alert_id: "0197f000-0000-7000-8000-00000000dead" };
  const first = await Promise.all([1, 2, 3].map((id) => post(callOf(id, "execute_playbook", given))));
  expect(countStatuses(first)).toEqual({ 200: 3 });
  expect((await client.post("/tools/execute_playbook", given)).status).toBe(200);
  expect((await client.post("/soar/playbooks/absent/execute", {})).status).toBe(404);
  expectRefusal(await post(callOf(6, "execute_playbook", given)), PLAYBOOKS);
  expect((await client.post("/tools/execute_playbook", given)).status).toBe(429);
  // The larger budget is not used up.
  expect((await post(callOf(7, "lookup_ioc", { value: "192.0.2.1" }))).status).toBe(200);
});

it("allows no batch with more calls than it counts for", async () => {
  const { client, post } = await createCaller("batching");
  const given = { title: "in a batch" };
  const batch = Array.from({ length: 200 }, (_, id) => callOf(id, "create_case", given));
  expect((await post(batch)).status).toBe(400);
  expect((await post({ ...callOf(1, "create_case", given), 0: callOf(2, "create_case", given) })).status).toBe(400);
  expect((await client.get("/cases")).body.total).toBe(0);
});

it("ends within 10 s of SIGTERM while calls by MCP wait, and answers them", async () => {
  const { client, post } = await createCaller("waiting");
  const ask = (id: number) =>
    post(callOf(id, "request_human_approval", { action: `Isolate WS-${id}`, justification: "It calls home" }));
  const waiting = Array.from({ length: 10 }, (_, id) => ask(id));
  await expect
    .poll(async () => (await client.get("/approvals?status=pending")).body.total, { interval: 1000 })
    .toBe(10);
  const start = clock.monotonicMs();
  expect(await soc.service.stop()).toBe(0);
  expect(clock.monotonicMs() - start).toBeLessThan(10_000);
  for (const { status, body } of await Promise.all(waiting)) {
    expect(status).toBe(200);
    expect(body).toContain("the service is stopping");
  }
});
