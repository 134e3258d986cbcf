import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  NO_RESPONSE_SETTINGS,
  ADMIN_PASSWORD as PASSWORD,
  wholePlatform,
  wholeWorker,
} from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import type { Role } from "../../foundation/caller/permissions.ts";

const response = { ...NO_RESPONSE_SETTINGS, fourEyes: true };
const NO_FOUR_EYES = { four_eyes: false, quorum: 1 };

type SendRequest = (method: "GET" | "POST" | "PUT" | "PATCH", path: string, payload?: object) => Promise<Answer>;
interface Answer {
  status: number;
  body: Record<string, never>;
}

/** Without PROVE=full, test only some roles, including the strongest. */
const TRIED_ROLES = process.env.PROVE === "full" ? ROLES : ROLES.filter((_, place) => place % 4 === 0);

let app: Awaited<ReturnType<typeof wholePlatform>>["app"];
let owner: pg.Pool;
/** The clients of the people; `other` is an administrator who only prepares. */
const people = new Map<string, SendRequest>();
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "soc-"));
  closing.push(() => rm(folder, { recursive: true }));
  const { url } = await freshDatabase();
  owner = new pg.Pool({ connectionString: url, max: 1 });
  closing.push(() => owner.end());
  const platform = await wholePlatform("real", url, folder, undefined, { response });
  closing.push(() => platform.close());
  ({ app } = platform);
  const worker = await wholeWorker(url, folder, { response });
  closing.push(() => worker.close());
  // The administrator is created when the database is first available.
  const admin = await vi.waitFor(() => signIn("admin"), { timeout: 30_000, interval: 250 });
  for (const role of [...ROLES, "other"] as const) {
    const user = { username: `${role}-person`, password: PASSWORD, role: role === "other" ? "admin" : role };
    expect(await admin("POST", "/users", user)).toMatchObject({ status: 201 });
    people.set(role, await signIn(user.username));
  }
}, 120_000);
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function signIn(username: string): Promise<SendRequest> {
  const signedIn = await app.inject({
    method: "POST",
    url: "/api/v1/auth/token",
    payload: { username, password: PASSWORD },
  });
  if (signedIn.statusCode !== 200) throw new Error(`${username} cannot sign in: ${signedIn.body}`);
  const headers = { authorization: `Bearer ${signedIn.json().access_token}` };
  return async (method, path, payload) => {
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };
}

function person(role: Role | "other"): SendRequest {
  const ask = people.get(role);
  if (!ask) throw new Error(`there is no ${role}`);
  return ask;
}

async function addEndpoint(): Promise<{ id: string; hostname: string }> {
  const id = randomUUID();
  const hostname = `host-${id.slice(0, 8)}`;
  expect((await person("other")("PUT", `/edr/endpoints/${id}`, { hostname })).status).toBe(201);
  return { id, hostname };
}

const isolations = async (endpoint_id: string) =>
  (await owner.query("SELECT status FROM edr_actions WHERE endpoint_id = $1 AND action = 'isolate'", [endpoint_id]))
    .rows.length;

/** Approves pending approvals of the endpoint or the playbook, as far as the person may. */
async function approve(ask: SendRequest, { endpoint, name }: Pick<Attempt, "endpoint" | "name">): Promise<void> {
  const { rows } = await owner.query(
    "SELECT id FROM approvals WHERE status = 'pending' AND (playbook_id = $1 OR strpos(effect::text, $2) > 0)",
    [name, endpoint.hostname],
  );
  for (const { id } of rows) await ask("POST", `/approvals/${id}/decide`, { approved: true });
}

/** Waits until the worker has processed all events and executions. */
async function settle(): Promise<void> {
  const other = person("other");
  const name = `mark-${randomUUID().slice(0, 8)}`;
  const steps = [{ id: "note", action: "case.create", params: { title: name } }];
  await other("PUT", `/soar/playbooks/${name}`, { name, steps });
  await other("POST", "/soar/automations", { name, condition: `title:${name}`, playbook_id: name });
  await other("POST", "/alerts", { title: name, source: "test" });
  const isDone = async () =>
    (await owner.query("SELECT FROM executions WHERE playbook_id = $1 AND status = 'completed'", [name])).rows.length;
  await expect.poll(isDone, { timeout: 60_000, interval: 250 }).toBe(1);
  const open = "SELECT FROM executions WHERE finished_at IS NULL AND status <> 'waiting'";
  await expect.poll(async () => (await owner.query(open)).rows.length, { timeout: 60_000 }).toBe(0);
}

interface Attempt {
  /** The only person who acts. */
  ask: SendRequest;
  endpoint: { id: string; hostname: string };
  name: string;
}

const isolate = (endpoint: string) => ({ id: "cut", action: "edr.isolate", params: { endpoint } });

/** Executes a critical playbook by this route, approves, and repeats the call with the approval. */
async function execute(attempt: Attempt, path: string, body: object): Promise<void> {
  const { ask } = attempt;
  const asked = await ask("POST", path, body);
  await approve(ask, attempt);
  await ask("POST", `${path}?approval_id=${String(asked.body.approval_id)}`, {});
}

async function automate(ask: SendRequest, name: string): Promise<void> {
  await ask("POST", "/soar/automations", { name, condition: `title:${name}`, playbook_id: name });
}

/** Every way to isolate an endpoint. Refused requests on the way are ignored, and the next request follows anyway. */
const PATHS: Readonly<Record<string, (attempt: Attempt) => Promise<void>>> = {
  "the route of the endpoint": (attempt) => execute(attempt, `/edr/endpoints/${attempt.endpoint.id}/isolate`, {}),

  "an own playbook that waives four eyes, by both execute routes": async (attempt) => {
    const { ask, endpoint, name } = attempt;
    const steps = [isolate(endpoint.id)];
    await ask("PUT", `/soar/playbooks/${name}`, { name, approval: NO_FOUR_EYES, steps });
    await execute(attempt, `/soar/playbooks/${name}/execute`, {});
    await execute(attempt, `/playbooks/${name}/execute`, {});
  },

  "a playbook of another person": async (attempt) => {
    const { endpoint, name } = attempt;
    await person("other")("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate("{parameters.host}")] });
    await execute(attempt, `/soar/playbooks/${name}/execute`, { parameters: { host: endpoint.hostname } });
  },

  "an own playbook that an own automation starts for an own alert": async ({ ask, endpoint, name }) => {
    await ask("PUT", `/soar/playbooks/${name}`, { name, approval: NO_FOUR_EYES, steps: [isolate(endpoint.id)] });
    await automate(ask, name);
    await ask("POST", "/alerts", { title: name, source: "test" });
  },

  "an own playbook that replaces a harmless one in an own automation": async ({ ask, endpoint, name }) => {
    const note = { id: "note", action: "case.create", params: { title: name } };
    await ask("PUT", `/soar/playbooks/${name}`, { name, steps: [note] });
    await automate(ask, name);
    await ask("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate(endpoint.id)] });
    await ask("POST", "/alerts", { title: name, source: "test" });
  },

  "an automation of another person, with an own alert": async ({ ask, endpoint, name }) => {
    await person("other")("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate("{alert.host}")] });
    await automate(person("other"), name);
    await ask("POST", "/alerts", { title: name, source: "test", host: endpoint.hostname });
  },

  "a step that undoes another one": async (attempt) => {
    const { ask, endpoint, name } = attempt;
    const { action, params } = isolate(endpoint.id);
    const opens = { id: "open", action: "case.create", params: { title: name }, compensate: { action, params } };
    const fails = { id: "fail", action: "edr.scan", params: { endpoint: "no-such-host" }, on_error: "compensate" };
    await ask("PUT", `/soar/playbooks/${name}`, { name, steps: [opens, fails] });
    await execute(attempt, `/soar/playbooks/${name}/execute`, {});
  },
};

describe("isolation by one person under four eyes", () => {
  it.each(Object.entries(PATHS))(
    "isolates nothing through %s, whatever the role",
    async (path, take) => {
      const attempts: Attempt[] = [];
      for (const role of TRIED_ROLES) {
        const name = `p-${role}-${Object.keys(PATHS).indexOf(path)}`;
        attempts.push({ ask: person(role), endpoint: await addEndpoint(), name });
      }
      for (const attempt of attempts) await take(attempt);
      await settle();
      for (const attempt of attempts) await approve(attempt.ask, attempt);
      await settle();
      const isolated = attempts.map(async ({ name, endpoint }) => [name, await isolations(endpoint.id)]);
      expect(await Promise.all(isolated)).toEqual(attempts.map(({ name }) => [name, 0]));
    },
    180_000,
  );
});

describe("isolation by two people under four eyes", () => {
  it("isolates through the endpoint route when the requester repeats the call after the approval", async () => {
    const endpoint = await addEndpoint();
    const { id } = endpoint;
    const path = `/edr/endpoints/${id}/isolate`;
    const asked = await person("responder")("POST", path, { reason: "it spreads" });
    expect(asked).toMatchObject({
      status: 200,
      body: { action_id: null, endpoint_id: id, status: "pending_approval", requires_approval: true },
    });
    expect(await isolations(id)).toBe(0);
    await approve(person("manager"), { endpoint, name: "" });
    const done = await person("responder")("POST", `${path}?approval_id=${String(asked.body.approval_id)}`);
    expect(done).toMatchObject({ status: 200, body: { endpoint_id: id, action: "isolate", status: "recorded" } });
    const again = await person("responder")("POST", `${path}?approval_id=${String(asked.body.approval_id)}`);
    expect(again.body).toEqual(done.body);
    expect(await isolations(id)).toBe(1);
  });

  it("isolates through an automation after a third person decides, not the playbook author or the alert reporter", async () => {
    const endpoint = await addEndpoint();
    const name = "together";
    await person("other")("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate("{alert.host}")] });
    await automate(person("other"), name);
    await person("manager")("POST", "/alerts", { title: name, source: "test", host: endpoint.hostname });
    await settle();
    const { rows } = await owner.query("SELECT id FROM approvals WHERE status = 'pending' AND playbook_id = $1", [
      name,
    ]);
    expect(rows).toHaveLength(1);
    const decide = (role: Role | "other") =>
      person(role)("POST", `/approvals/${rows[0].id}/decide`, { approved: true });
    const refused = /^approved: you wrote the playbook or the automation, or reported the alert/;
    for (const role of ["other", "manager"] as const) {
      expect(await decide(role)).toMatchObject({ status: 403, body: { detail: expect.stringMatching(refused) } });
    }
    expect(await decide("admin")).toMatchObject({ status: 200 });
    await expect.poll(() => isolations(endpoint.id), { timeout: 30_000 }).toBe(1);
  }, 60_000);
});

describe("with four eyes, an API key and its people count as one person", () => {
  const SAME_PERSON = /^approved: you own or created the API key of a requester/;

  async function addKey(
    creator: SendRequest,
    key: { name: string; scopes: string[]; owner?: string },
  ): Promise<SendRequest> {
    const { body } = await creator("POST", "/api-keys", key);
    return async (method, url, payload) => {
      const headers = { "x-api-key": String(body.key) };
      const answer = await app.inject({
        method: method as "POST",
        url: `/api/v1${url}`,
        headers,
        payload: payload ?? {},
      });
      return { status: answer.statusCode, body: answer.json() };
    };
  }

  /** Requests the isolation of an endpoint by a playbook that a third person wrote. */
  async function request(ask: SendRequest, name: string): Promise<string> {
    const { hostname } = await addEndpoint();
    await person("manager")("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate(hostname)] });
    const { body } = await ask("POST", `/soar/playbooks/${name}/execute`, {});
    expect(body).toMatchObject({ status: "pending_approval" });
    return String(body.approval_id);
  }

  const decide = (ask: SendRequest, id: string) => ask("POST", `/approvals/${id}/decide`, { approved: true });
  const refused = { status: 403, body: { detail: expect.stringMatching(SAME_PERSON) } };

  it("refuses the owner and the creator of the API key that made the request, and the key", async () => {
    const owner = "responder-person";
    const byKey = await addKey(person("other"), { name: "robot", scopes: ["soar:execute", "approvals:manage"], owner });
    const id = await request(byKey, "by-key");
    expect(await decide(person("other"), id)).toMatchObject(refused);
    expect(await decide(byKey, id)).toMatchObject({ status: 403 });
    expect(await decide(person("admin"), id)).toMatchObject({ status: 200 });
    expect(await byKey("POST", `/soar/playbooks/by-key/execute?approval_id=${id}`)).toMatchObject({ status: 200 });
  });

  it("refuses the owner of the API key that reported the alert of an automation", async () => {
    const name = "by-reporting-key";
    const { hostname } = await addEndpoint();
    await person("manager")("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate(hostname)] });
    await automate(person("other"), name);
    const byKey = await addKey(person("admin"), { name: "reporter", scopes: ["alerts:write"] });
    expect(await byKey("POST", "/alerts", { title: name, source: "test" })).toMatchObject({ status: 201 });
    await settle();
    const { rows } = await owner.query("SELECT id FROM approvals WHERE playbook_id = $1", [name]);
    expect(rows).toHaveLength(1);
    expect(await decide(person("admin"), rows[0].id)).toMatchObject(refused);
  });
});

it("lets only callers with soar:execute bind a critical playbook to an automation", async () => {
  const name = "bound";
  await person("other")("PUT", `/soar/playbooks/${name}`, { name, steps: [isolate("{alert.host}")] });
  const body = { name, condition: `title:${name}`, playbook_id: name };
  expect(await person("manager")("POST", "/soar/automations", body)).toMatchObject({
    status: 403,
    body: { detail: "playbook_id: 'bound' is critical, and binding it to an automation requires soar:execute" },
  });
  expect(await person("admin")("POST", "/soar/automations", body)).toMatchObject({ status: 201 });
});
