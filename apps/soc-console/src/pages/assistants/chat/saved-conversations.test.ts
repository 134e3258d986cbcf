import { expect, it } from "vitest";
import type { ChatMessage } from "./chat-message.ts";
import { type KeptConversation, keepConversation } from "./saved-conversations.ts";

const AT = new Date("2026-11-18T02:00:00Z");
const say = (text: string): ChatMessage => ({ key: 1, role: "user", text, citations: [], state: "done" });

it("moves a conversation to the front and keeps its first question as the title", () => {
  const one = keepConversation([], "a", [say("what is new")], AT);
  const two = keepConversation(one, "b", [say("who is on ws-7")], AT);
  const three = keepConversation(two, "a", [say("later"), say("more")], AT);
  expect(three.map(({ id, title, messages }) => [id, title, messages.length])).toEqual([
    ["a", "what is new", 2],
    ["b", "who is on ws-7", 1],
  ]);
});

it("does not store a conversation that the service does not have", () => {
  expect(keepConversation([], undefined, [say("x")], AT)).toEqual([]);
  expect(keepConversation([], "a", [], AT)).toEqual([]);
});

it("drops the oldest beyond fifty", () => {
  const many = Array.from({ length: 60 }, (_, at) => `c${at}`).reduce<readonly KeptConversation[]>(
    (kept, id) => keepConversation(kept, id, [say(id)], AT),
    [],
  );
  expect(many).toHaveLength(50);
  expect(many[0]?.id).toBe("c59");
});
