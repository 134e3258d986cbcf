import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, vi } from "vitest";
import {
  NO_RESPONSE_SETTINGS,
  ADMIN_PASSWORD as PASSWORD,
  wholePlatform,
  wholeWorker,
} from "../harness/whole-platform.ts";
import { freshDatabase } from "../servers/fresh-database.ts";

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}
export type Ask = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  payload?: object,
) => Promise<Answer>;

/** A person or an API key. */
export interface Actor {
  name: string;
  ask: Ask;
}

export type DualControlWorld = Awaited<ReturnType<typeof startDualControlWorld>>;

const KEY_SCOPES = [
  "soar:execute",
  "alerts:write",
  "cases:write",
  "detections:write",
  "cps:manage",
  "approvals:manage",
];

/** A platform with four eyes and its worker. */
export async function startDualControlWorld() {
  const folder = await mkdtemp(join(tmpdir(), "soc-"));
  const { url } = await freshDatabase();
  const owner = new pg.Pool({ connectionString: url, max: 2 });
  const response = { ...NO_RESPONSE_SETTINGS, fourEyes: true, notifyPrivate: undefined };
  const platform = await wholePlatform("real", url, folder, undefined, { response });
  const worker = await wholeWorker(url, folder, { response });
  const { app } = platform;
  const query = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows;

  const createAsk =
    (headers: Record<string, string>): Ask =>
    async (method, path, payload) => {
      const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
      return { status: answer.statusCode, body: answer.body === "" ? {} : answer.json() };
    };

  async function signIn(username: string): Promise<Actor> {
    const { status, body } = await createAsk({})("POST", "/auth/token", { username, password: PASSWORD });
    if (status !== 200) throw new Error(`${username} cannot sign in: ${JSON.stringify(body)}`);
    return { name: username, ask: createAsk({ authorization: `Bearer ${String(body.access_token)}` }) };
  }

  // The administrator is created when the database is first available.
  const root = await vi.waitFor(() => signIn("admin"), { timeout: 60_000, interval: 250 });

  const addName = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`;

  const world = {
    root,
    query,
    addName,
    signIn,

    /** An administrator whose account no person created or changed in the last 30 days. */
    async addPerson(role = "admin"): Promise<Actor> {
      const username = addName("person");
      await query(
        `INSERT INTO users (username, role, disabled, password_hash)
         SELECT $1, $2, false, password_hash FROM users WHERE username = 'admin'`,
        [username, role],
      );
      return signIn(username);
    },

    /** An account that the person creates through the API. */
    async createAccount(by: Actor, role = "admin"): Promise<Actor> {
      const username = addName("created");
      const user = { username, password: PASSWORD, role };
      expect(await by.ask("POST", "/users", user)).toMatchObject({ status: 201 });
      return signIn(username);
    },

    async createKey(by: Actor, owned?: Actor): Promise<Actor> {
      const name = addName("key");
      const made = await by.ask("POST", "/api-keys", { name, scopes: KEY_SCOPES, ...(owned && { owner: owned.name }) });
      expect(made.status).toBe(201);
      return { name: `key:${name}`, ask: createAsk({ "x-api-key": String(made.body.key) }) };
    },

    decide: (by: Actor, id: string) => by.ask("POST", `/approvals/${id}/decide`, { approved: true }),

    /** Waits for the approvals that mention the word. */
    async findApprovals(word: string, count = 1): Promise<string[]> {
      const find = () =>
        query(
          `SELECT id FROM approvals WHERE playbook_id = $1 OR strpos(action || effect::text || parameters::text, $1) > 0`,
          [word],
        );
      await expect
        .poll(async () => (await find()).length, { timeout: 60_000, interval: 100 })
        .toBeGreaterThanOrEqual(count);
      return (await find()).map(({ id }) => id);
    },

    async close() {
      await worker.close();
      await platform.close();
      await owner.end();
      await rm(folder, { recursive: true });
    },
  };
  return world;
}

/** What needs another person. `start` begins it; the word finds its approvals and its result. */
export interface DualEffect {
  /** Undefined if the caller was refused. */
  start(world: DualControlWorld, by: Actor, word: string): Promise<{ started: boolean }>;
  /** Whether the effect happened. */
  isDone(world: DualControlWorld, word: string): Promise<boolean>;
  /** Only playbooks can be bound to an automation. */
  playbook?: (world: DualControlWorld, word: string) => Promise<void>;
}

async function savePlaybook(world: DualControlWorld, name: string, steps: object[]): Promise<void> {
  const author = await world.addPerson();
  expect((await author.ask("PUT", `/soar/playbooks/${name}`, { name, steps })).status).toBe(201);
}

async function isExecuted({ query }: DualControlWorld, word: string): Promise<boolean> {
  const rows = await query(
    "SELECT FROM execution_steps WHERE step_id = 'effect' AND execution_id IN (SELECT execution_id FROM executions WHERE playbook_id = $1)",
    [word],
  );
  return rows.length > 0;
}

async function executePlaybook(_world: DualControlWorld, by: Actor, word: string) {
  const { status } = await by.ask("POST", `/soar/playbooks/${word}/execute`, {});
  return { started: status < 300 };
}

const isAccepted = ({ status }: Answer) => ({ started: status < 300 });
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

export const DUAL_EFFECTS: Readonly<Record<string, DualEffect>> = {
  "a critical playbook": {
    async playbook(world, word) {
      const endpoint = randomUUID();
      await world.root.ask("PUT", `/edr/endpoints/${endpoint}`, { hostname: word });
      await savePlaybook(world, word, [{ id: "effect", action: "edr.isolate", params: { endpoint } }]);
    },
    start: executePlaybook,
    isDone: isExecuted,
  },

  "a step that waits for an approval": {
    async playbook(world, word) {
      await savePlaybook(world, word, [
        { id: "ask", action: "approval.request", params: { action: `continue ${word}` } },
        { id: "effect", action: "case.create", params: { title: word } },
      ]);
    },
    start: executePlaybook,
    isDone: isExecuted,
  },

  "a request of an agent": {
    async start({ query }, by, word) {
      // The tool waits for the decision, longer than the test.
      const asked = by.ask("POST", "/tools/request_human_approval", { action: word, justification: "test" });
      const isStored = async () => (await query("SELECT FROM approvals WHERE action = $1", [word])).length > 0;
      await expect.poll(isStored, { timeout: 30_000, interval: 50 }).toBe(true);
      void asked.catch(() => undefined);
      return { started: true };
    },
    isDone: async ({ query }, word) =>
      (await query("SELECT FROM approvals WHERE action = $1 AND status = 'approved'", [word])).length > 0,
  },

  "a global exception": {
    start: async (_world, by, word) =>
      isAccepted(
        await by.ask("POST", "/detections/exceptions", {
          scope: "all",
          query: `host:${word}`,
          reason: word,
          expires_at: inAnHour(),
        }),
      ),
    isDone: async ({ query }, word) =>
      (await query("SELECT FROM detection_exceptions WHERE reason = $1 AND expires_at > now()", [word])).length > 0,
  },

  "known good firmware": {
    start: async (_world, by, word) =>
      isAccepted(
        await by.ask("PUT", `/firmware/${createHash("sha256").update(word).digest("hex")}`, {
          vendor: "Example",
          product: word,
          version: "1",
          known_good: true,
        }),
      ),
    isDone: async ({ query }, word) =>
      (await query("SELECT FROM firmware WHERE product = $1 AND known_good", [word])).length > 0,
  },

  "a notification channel": {
    start: async (_world, by, word) =>
      isAccepted(
        await by.ask("POST", "/notifications/channels", {
          name: word,
          kind: "email",
          settings: { to: ["soc@example.org"] },
          events: ["alert.*"],
        }),
      ),
    isDone: async ({ query }, word) =>
      (await query("SELECT FROM notification_channels WHERE name = $1 AND enabled", [word])).length > 0,
  },
};

/** A way in which one person could start something and decide about it. Returns who decides after the start. */
export interface DualWay {
  name: string;
  needsPlaybook?: boolean;
  run(world: DualControlWorld, effect: DualEffect, word: string): Promise<{ started: boolean; deciders: Actor[] }>;
}

async function automate(by: Actor, name: string): Promise<void> {
  const body = { name, condition: `title:${name}`, playbook_id: name };
  expect((await by.ask("POST", "/soar/automations", body)).status).toBe(201);
}

async function report(by: Actor, title: string): Promise<void> {
  expect((await by.ask("POST", "/alerts", { title, source: "test" })).status).toBe(201);
}

async function linkAccount(world: DualControlWorld, change: (by: Actor, account: Actor) => Promise<Actor>) {
  const person = await world.addPerson();
  return { person, account: await change(person, await world.addPerson()) };
}

async function resetPassword(world: DualControlWorld, by: Actor, { name }: Actor): Promise<Actor> {
  expect((await by.ask("PATCH", `/users/${name}`, { password: PASSWORD })).status).toBe(200);
  return world.signIn(name);
}

export const DUAL_WAYS: readonly DualWay[] = [
  {
    name: "the person",
    async run(world, effect, word) {
      const person = await world.addPerson();
      return { ...(await effect.start(world, person, word)), deciders: [person] };
    },
  },
  {
    name: "a key that the person owns",
    async run(world, effect, word) {
      const person = await world.addPerson();
      const key = await world.createKey(world.root, person);
      return { ...(await effect.start(world, key, word)), deciders: [person, key] };
    },
  },
  {
    name: "a key that the person created for another one, and revoked",
    async run(world, effect, word) {
      const person = await world.addPerson();
      const key = await world.createKey(person, await world.addPerson());
      const { started } = await effect.start(world, key, word);
      const [row] = await world.query("SELECT id FROM api_keys WHERE name = $1", [key.name.slice("key:".length)]);
      await person.ask("DELETE", `/api-keys/${row?.id}`);
      return { started, deciders: [person] };
    },
  },
  {
    name: "an automation of the person",
    needsPlaybook: true,
    async run(world, _effect, word) {
      const person = await world.addPerson();
      await automate(person, word);
      await report(await world.addPerson(), word);
      return { started: true, deciders: [person] };
    },
  },
  {
    name: "an alert that a key of the person reported",
    needsPlaybook: true,
    async run(world, _effect, word) {
      const person = await world.addPerson();
      await automate(await world.addPerson(), word);
      await report(await world.createKey(world.root, person), word);
      return { started: true, deciders: [person] };
    },
  },
  {
    name: "an account that the person created",
    async run(world, effect, word) {
      const person = await world.addPerson();
      const account = await world.createAccount(person);
      return { ...(await effect.start(world, account, word)), deciders: [person, account] };
    },
  },
  {
    name: "the person, for an account that the person created",
    async run(world, effect, word) {
      const person = await world.addPerson();
      const account = await world.createAccount(person);
      return { ...(await effect.start(world, person, word)), deciders: [account] };
    },
  },
  {
    name: "an account whose password the person reset",
    async run(world, effect, word) {
      const { person, account } = await linkAccount(world, (by, other) => resetPassword(world, by, other));
      return { ...(await effect.start(world, account, word)), deciders: [person] };
    },
  },
  {
    name: "the person, for an account that the person enabled",
    async run(world, effect, word) {
      const { person, account } = await linkAccount(world, async (by, other) => {
        expect((await by.ask("PATCH", `/users/${other.name}`, { disabled: false })).status).toBe(200);
        return other;
      });
      return { ...(await effect.start(world, person, word)), deciders: [account] };
    },
  },
  {
    name: "the person, for an account whose factors the person reset",
    async run(world, effect, word) {
      const { person, account } = await linkAccount(world, async (by, other) => {
        await world.query(
          `INSERT INTO user_factors (id, username, kind, name, created_at, confirmed_at)
           VALUES (gen_random_uuid(), $1, 'webauthn', 'key', now(), now())`,
          [other.name],
        );
        expect((await by.ask("DELETE", `/users/${other.name}/factors`)).status).toBe(200);
        return world.signIn(other.name);
      });
      return { ...(await effect.start(world, person, word)), deciders: [account] };
    },
  },
  {
    name: "a key of the person, for an account that the person created",
    async run(world, effect, word) {
      const person = await world.addPerson();
      const account = await world.createAccount(person);
      const key = await world.createKey(world.root, person);
      return { ...(await effect.start(world, key, word)), deciders: [account] };
    },
  },
];
