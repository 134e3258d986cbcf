import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { ALL_SITES, type Caller } from "../../foundation/caller/caller.ts";
import { createChat } from "./chat.feature.ts";
import type { ChatEvent } from "./chat-event.ts";
import { createConversationsStore } from "./conversations.store.ts";

const LAYLA: Caller = { kind: "user", username: "layla", role: "tier1" };
const unused = { list: () => Promise.reject(new Error("not asked for")) };

let platform: TestPlatform;
let chat: ReturnType<typeof createChat>["services"]["chat"];

beforeAll(async () => {
  platform = await testPlatform("real");
  while (!(await platform.runtime.truth()).is_database_available) await platform.clock.sleep(100);
  await sql`INSERT INTO users (username, role, disabled, password_hash) VALUES ('layla', 'tier1', false, '')`.execute(
    platform.db,
  );
  const tools = { call: () => Promise.reject(new Error("not asked for")), listUsable: () => [] };
  const records = { alerts: unused, cases: unused, endpoints: unused };
  const refreshCallers = async (callers: readonly Caller[]) => new Map(callers.map((caller) => [caller, caller]));
  ({ chat } = createChat(platform, { tools, ...records, model: undefined, refreshCallers }).services);
});

afterAll(() => platform.close());

async function ask(message: string, conversation_id?: string): Promise<string> {
  const accepted = await chat.accept(LAYLA, { message, ...(conversation_id && { conversation_id }) });
  let last: ChatEvent | undefined;
  for await (const event of chat.reply(accepted, new AbortController().signal)) last = event;
  return last?.event === "done" ? last.data.conversation_id : JSON.stringify(last);
}

const find = (id: string) => createConversationsStore(platform.db).find("layla", id, ALL_SITES);

it("keeps the newest 50 messages of a conversation", async () => {
  const id = await ask("help 0");
  for (let n = 1; n <= 26; n += 1) await ask(`help ${n}`, id);
  const messages = (await find(id)) ?? [];
  expect(messages).toHaveLength(50);
  expect(messages[0]).toMatchObject({ role: "user", text: "help 2" });
  expect(messages.at(-2)).toMatchObject({ role: "user", text: "help 26" });
});

it("stores emojis and texts that look like SQL unchanged", async () => {
  const texts = ["😀".repeat(4000), "'); DROP TABLE users; --"];
  for (const text of texts) expect((await find(await ask(text)))?.[0]?.text).toBe(text);
});

it("deletes conversations 90 days after their last message and keeps newer ones", async () => {
  const [old, young] = [await ask("help"), await ask("help")];
  const age = (id: string, days: number) =>
    sql`UPDATE chat_conversations SET updated_at = now() - ${days} * interval '1 day' WHERE id = ${id}`.execute(
      platform.db,
    );
  await age(old, 91);
  await age(young, 89);
  expect(await chat.sweep()).toBe(1);
  expect(await chat.sweep()).toBe(0);
  expect(await find(old)).toBeUndefined();
  expect(await find(young)).toHaveLength(2);
});

it("keeps the newest 200 conversations of a user", async () => {
  const first = await ask("help");
  await sql`INSERT INTO chat_conversations (id, owner, created_at, updated_at)
    SELECT gen_random_uuid(), 'layla', now() + interval '1 hour', now() + interval '1 hour' FROM generate_series(1, 200)`.execute(
    platform.db,
  );
  await ask("help");
  expect(await find(first)).toBeUndefined();
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM chat_conversations`.execute(platform.db);
  expect(rows).toEqual([{ n: 200 }]);
});
