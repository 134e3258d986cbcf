import { createClock } from "@kit/clock";
import { hash } from "@node-rs/argon2";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskChat, chatAs, postChat } from "../../../testing/harness/chat-client.ts";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import type { LogStore } from "../../ports/log-store.ts";

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const LIMIT = 20;
const clock = createClock();

/** The running searches; each ends when its client disconnects. */
const searches = { begun: 0, aborted: 0 };
const endlessSearch: LogStore["search"] = async (_search, signal) => {
  searches.begun += 1;
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => {
      searches.aborted += 1;
      reject(signal.reason);
    });
  });
};
const absent = absentLogStore();
const endless: LogStore = { ...absent, search: endlessSearch, lane: () => ({ ...absent, search: endlessSearch }) };

let url: string;
let owner: pg.Client;
let platform: Awaited<ReturnType<typeof wholePlatform>>;
let alert_id: string;

async function addUser(username: string, role = "tier1"): Promise<void> {
  const password_hash = await hash(ADMIN_PASSWORD, CHEAP);
  const columns = "username, role, disabled, password_hash";
  await owner.query(`INSERT INTO users (${columns}) VALUES ($1, $2, false, $3)`, [username, role, password_hash]);
}

async function comeIn(username: string, { app } = platform): Promise<Record<string, string>> {
  const payload = { username, password: ADMIN_PASSWORD };
  const answer = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  return { authorization: `Bearer ${answer.json().access_token}` };
}

async function joinAs(username: string, role?: string): Promise<AskChat> {
  await addUser(username, role);
  return chatAs(platform.app, await comeIn(username));
}

async function readMessages(conversation_id: string) {
  const { rows } = await owner.query(
    `SELECT owner, role, text, citations FROM chat_messages m JOIN chat_conversations c ON c.id = m.conversation_id
     WHERE c.id = $1 ORDER BY number`,
    [conversation_id],
  );
  return rows;
}

beforeAll(async () => {
  ({ url } = await freshDatabase());
  owner = new pg.Client(url);
  await owner.connect();
  platform = await wholePlatform("real", url, undefined, endless, { chatLimitPerMinute: LIMIT });
  const asAdmin = askAs(platform.app, await signIn(platform.app));
  const added = await asAdmin("POST", "/alerts", { title: "Beacon to 198.51.100.7", source: "sensor", host: "ws-7" });
  alert_id = JSON.parse(added.body).id;
  await platform.app.listen({ host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  await platform.close();
  await owner.end();
});

describe("chat conversations in real mode", () => {
  it("are stored with their messages and citations", async () => {
    const chat = await joinAs("layla");
    const { conversation_id, text, citations } = await chat("what is new");
    expect(citations).toEqual([{ kind: "alert", id: alert_id }]);
    expect(text).toContain("“Beacon to 198.51.100.7”");
    expect(await readMessages(conversation_id)).toEqual([
      { owner: "layla", role: "user", text: "what is new", citations: [] },
      { owner: "layla", role: "assistant", text, citations },
    ]);
    const followUp = await chat("how does it stand", conversation_id);
    expect(followUp.conversation_id).toBe(conversation_id);
    expect(await readMessages(conversation_id)).toHaveLength(4);
  });

  it("number messages that are sent concurrently", async () => {
    const chat = await joinAs("twice");
    const { conversation_id } = await chat("help");
    const answers = await Promise.all(["one", "two", "three"].map((message) => chat(message, conversation_id)));
    expect(answers.map(({ events }) => events.at(-1)?.event)).toEqual(["done", "done", "done"]);
    expect(await readMessages(conversation_id)).toHaveLength(8);
  });

  it("are hidden from other users and from a later user with the same name", async () => {
    const chat = await joinAs("first");
    const { conversation_id } = await chat("help");
    const refusal = { status: 404, body: `{"detail":"conversation '${conversation_id}' does not exist"}` };
    expect(await (await joinAs("second", "admin"))("help", conversation_id)).toMatchObject(refusal);
    await owner.query("DELETE FROM users WHERE username = 'first'");
    expect(await readMessages(conversation_id)).toEqual([]);
    expect(await chat("help", conversation_id)).toMatchObject({ status: 401 });
    expect(await (await joinAs("first"))("help", conversation_id)).toMatchObject(refusal);
  });
});

it.each(ROLES)("answer the role %s", async (role) => {
  const { status, citations } = await (await joinAs(`role-${role}`, role))("what is new");
  expect({ status, citations }).toEqual({ status: 200, citations: [{ kind: "alert", id: alert_id }] });
});

it("refuse an API key and an unknown caller", async () => {
  const asAdmin = askAs(platform.app, await signIn(platform.app));
  const { body } = await asAdmin("POST", "/api-keys", { name: "reader", scopes: ["alerts:read"] });
  expect((await postChat(platform.app, { "x-api-key": JSON.parse(body).key }, { message: "help" })).statusCode).toBe(
    403,
  );
  expect((await postChat(platform.app, {}, { message: "help" })).statusCode).toBe(401);
});

it(`accept ${LIMIT} messages per user and minute, limited separately from other requests`, async () => {
  await addUser("eager");
  const headers = await comeIn("eager");
  const chat = chatAs(platform.app, headers);
  for (let n = 0; n < LIMIT; n += 1) expect((await chat("help")).status).toBe(200);
  const refused = await chat("help");
  expect(refused).toMatchObject({ status: 429, body: '{"detail":"more than 20 requests a minute; see Retry-After"}' });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await askAs(platform.app, headers)("GET", "/alerts")).status).toBe(200);
  expect((await (await joinAs("calm"))("help")).status).toBe(200);
});

it("abort their lookups when the client disconnects and store nothing", async () => {
  await addUser("hasty");
  const before = { ...searches };
  const answered = await postChat(platform.app, await comeIn("hasty"), { message: "who is on ws-7" });
  await expect.poll(() => searches.begun - before.begun).toBe(2);
  expect(searches.aborted).toBe(before.aborted);
  answered.destroy();
  await expect.poll(() => searches.aborted - before.aborted).toBe(2);
  await clock.sleep(200);
  const { rows } = await owner.query("SELECT count(*)::int AS n FROM chat_conversations WHERE owner = 'hasty'");
  expect(rows).toEqual([{ n: 0 }]);
});

describe.each(["dry_run", "dummy"] as const)("chat in mode %s with a database", (mode) => {
  it("answers from the database and stores the conversation if the mode allows it", async () => {
    const other = await wholePlatform(mode, url, undefined, absent);
    await signIn(other.app);
    await addUser(`user-of-${mode}`);
    await other.app.listen({ host: "127.0.0.1", port: 0 });
    const chat = chatAs(other.app, await comeIn(`user-of-${mode}`, other));
    const first = await chat("what is new");
    expect(first.citations).toEqual([{ kind: "alert", id: alert_id }]);
    expect((await chat("and yesterday?", first.conversation_id)).text).toMatch(/^Looking for alerts and cases/);
    expect(await readMessages(first.conversation_id)).toHaveLength(mode === "dry_run" ? 4 : 0);
    // Logs cannot be read here: the answer states this and includes other facts.
    const partial = await chat("what do we know about host ws-7");
    expect(partial.text).toContain("The logs could not be read: “the log store does not answer”");
    expect(partial.citations).toEqual([{ kind: "alert", id: alert_id }]);
    await other.close();
  });
});
