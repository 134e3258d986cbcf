import { createClock } from "@kit/clock";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../foundation/caller/caller.ts";
import { buildTruth } from "../../foundation/runtime/runtime.ts";
import type { Answer } from "./answer.ts";
import { createChatService } from "./chat.service.ts";
import type { ChatEvent } from "./chat-event.ts";
import { createMemoryConversations } from "./memory-conversations.store.ts";

const LAYLA: Caller = { kind: "user", username: "layla", role: "tier1" };
const OMAR: Caller = { kind: "user", username: "omar", role: "admin" };
const never = new AbortController().signal;
const waits: Answer = async function* ({ signal }) {
  yield { event: "token", data: { text: "Looking" } };
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
};
const echoes: Answer = async function* ({ message, history }) {
  yield { event: "token", data: { text: `${message} after ${history.map(({ text }) => text).join(", ")}` } };
  yield { event: "citation", data: { kind: "alert", id: "a" } };
};

function createChat(answer: Answer, clock = createFakeClock(), lost = new Set<Caller>()) {
  const refuse = () => Promise.reject(new Error("dummy mode stores nothing"));
  return createChatService({
    ...{ answer, clock, ids: createFakeIds(), log: silentLog, memory: createMemoryConversations() },
    runtime: { truth: async () => buildTruth("dummy", false) },
    changes: { runAs: refuse },
    model: null,
    stored: { find: refuse },
    refreshCallers: async (callers) =>
      new Map(callers.filter((caller) => !lost.has(caller)).map((caller) => [caller, caller])),
  });
}

type Chat = ReturnType<typeof createChat>;

async function ask(chat: Chat, caller: Caller, message: string, conversation_id?: string): Promise<ChatEvent[]> {
  const accepted = await chat.accept(caller, { message, ...(conversation_id && { conversation_id }) });
  const events: ChatEvent[] = [];
  for await (const event of chat.reply(accepted, never)) events.push(event);
  return events;
}

function findConversation(events: readonly ChatEvent[]): string {
  const last = events.at(-1);
  return last?.event === "done" ? last.data.conversation_id : "";
}

describe("chat answers", () => {
  it("end with an error after 60 seconds and are not stored", async () => {
    const clock = createFakeClock();
    const chat = createChat(waits, clock);
    const asking = ask(chat, LAYLA, "what is new");
    await clock.advance(0);
    await clock.advance(60_000);
    const events = await asking;
    expect(events.map(({ event }) => event)).toEqual(["token", "error"]);
    expect(events.at(-1)?.data).toEqual({ detail: "the answer took longer than 60 seconds" });
  });

  it("end when their caller loses access or sites", async () => {
    const clock = createFakeClock();
    const lost = new Set<Caller>();
    const chat = createChat(waits, clock, lost);
    const [leaving, staying] = [ask(chat, LAYLA, "what is new"), ask(chat, OMAR, "what is new")];
    await clock.advance(0);
    await clock.advance(5000);
    lost.add(LAYLA);
    await clock.advance(1000);
    expect((await leaving).at(-1)).toEqual({ event: "error", data: { detail: "your access has changed; ask again" } });
    await clock.advance(54_000);
    expect((await staying).at(-1)?.data).toEqual({ detail: "the answer took longer than 60 seconds" });
  });

  it("end with an error when the service stops, and no later message is accepted", async () => {
    const chat = createChat(waits);
    const asking = ask(chat, LAYLA, "what is new");
    await createClock().sleep(10);
    chat.close();
    expect((await asking).at(-1)).toEqual({ event: "error", data: { detail: "the service is stopping" } });
    await expect(chat.accept(LAYLA, { message: "hello" })).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("hide internal errors and name what a person may read", async () => {
    const failing = (error: Error): Answer =>
      async function* () {
        yield { event: "token", data: { text: "Looking" } };
        throw error;
      };
    const inside = await ask(createChat(failing(new Error("SELECT secret"))), LAYLA, "hello");
    expect(inside.at(-1)).toEqual({ event: "error", data: { detail: "internal error" } });
    const known = await ask(
      createChat(failing(new Problem("unavailable", "the database is unavailable"))),
      LAYLA,
      "hello",
    );
    expect(known.at(-1)).toEqual({ event: "error", data: { detail: "the database is unavailable" } });
  });

  it("send nothing to a client that has disconnected", async () => {
    const chat = createChat(waits);
    const gone = new AbortController();
    const events = chat.reply(await chat.accept(LAYLA, { message: "what is new" }), gone.signal);
    expect((await events.next()).value).toMatchObject({ event: "token" });
    const next = events.next();
    gone.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe("stored conversations", () => {
  it("give the next answer its history", async () => {
    const chat = createChat(echoes);
    const id = findConversation(await ask(chat, LAYLA, "one"));
    const [second] = await ask(chat, LAYLA, "two", id.toUpperCase());
    expect(second?.data).toEqual({ text: "two after one, one after " });
  });

  it("are unknown to every other user", async () => {
    const chat = createChat(echoes);
    const id = findConversation(await ask(chat, LAYLA, "one"));
    const refusal = { kind: "not_found", message: `conversation '${id}' does not exist` };
    await expect(chat.accept(OMAR, { message: "two", conversation_id: id })).rejects.toMatchObject(refusal);
  });

  it("keep the newest 50 messages", async () => {
    const chat = createChat(async function* ({ history }) {
      yield { event: "token", data: { text: String(history.length) } };
    });
    const id = findConversation(await ask(chat, LAYLA, "hello"));
    let last: ChatEvent | undefined;
    for (let n = 0; n < 30; n += 1) [last] = await ask(chat, LAYLA, "hello", id);
    expect(last?.data).toEqual({ text: "50" });
  });

  it("are evicted from memory by a hundred newer ones", async () => {
    const chat = createChat(echoes);
    const first = findConversation(await ask(chat, LAYLA, "one"));
    for (let n = 0; n < 99; n += 1) await ask(chat, OMAR, "one");
    await chat.accept(LAYLA, { message: "two", conversation_id: first });
    await ask(chat, OMAR, "one");
    await expect(chat.accept(LAYLA, { message: "two", conversation_id: first })).rejects.toThrow("does not exist");
  });
});

it("refuse a message that cannot be stored", async () => {
  const refusal = { kind: "invalid", field: "message" };
  await expect(createChat(echoes).accept(LAYLA, { message: "a\0b" })).rejects.toMatchObject(refusal);
});
