import { expect, it } from "vitest";
import { addEvent, type ChatMessage, endAnswer, toPath } from "./chat-message.ts";

const EMPTY: ChatMessage = { key: 1, role: "assistant", text: "", citations: [], state: "writing" };
const frame = (event: string, data: unknown) => ({ event, data: JSON.stringify(data) });

it("builds an answer from tokens, citations and the end event", () => {
  const events = [
    frame("token", { text: "Seen " }),
    frame("tool", { name: "list_alerts", status: "running" }),
    frame("token", { text: "[1]." }),
    frame("citation", { kind: "alert", id: "a" }),
    frame("tool", { name: "list_alerts", status: "completed" }),
  ];
  const message = events.reduce(addEvent, EMPTY);
  expect(message).toMatchObject({ text: "Seen [1].", citations: [{ kind: "alert", id: "a" }], state: "writing" });
  expect(message.tool).toBeUndefined();
  const done = addEvent(message, frame("done", { conversation_id: "c", model: null }));
  expect(done).toMatchObject({ state: "done", conversationId: "c", model: null });
  expect(endAnswer(done, "cut").state).toBe("done");
});

it("marks an answer without an end event as cut, or as stopped by the user", () => {
  expect(endAnswer(EMPTY, "cut").state).toBe("cut");
  expect(endAnswer(EMPTY, "stopped").state).toBe("stopped");
});

it("ignores unknown events", () => {
  const odd = [
    { event: "token", data: "{" },
    frame("citation", { kind: "script", id: "a" }),
    frame("surprise", { text: "x" }),
  ];
  expect(odd.reduce(addEvent, EMPTY)).toMatchObject({ text: "", citations: [], state: "writing" });
  expect(addEvent(EMPTY, frame("error", { detail: "the service is stopping" }))).toMatchObject({
    state: "failed",
    detail: "the service is stopping",
  });
});

it("links to the page of the record for any id", () => {
  expect(toPath({ kind: "log", id: "a/../b" })).toBe("/hunt/log/a%2F..%2Fb");
});
