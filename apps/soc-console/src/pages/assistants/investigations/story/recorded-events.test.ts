import { expect, it } from "vitest";
import { collectEvents, readField } from "./recorded-events.ts";

const step = (kind: "reader" | "tool", value: unknown) => ({ kind, result: JSON.stringify({ value }) });

it("finds events at any depth of a result", () => {
  const events = collectEvents([
    step("reader", [{ id: "a", timestamp: "2026-11-18T01:16:42Z", host: "ws-7" }]),
    step("tool", { status: "completed", logs: [{ id: "b", timestamp: "2026-11-18T01:16:43Z" }] }),
    step("tool", { case_id: "c", id: "no event" }),
    { kind: "tool", result: "… (cut)" },
  ]);
  expect([...events.keys()]).toEqual(["a", "b"]);
});

it("prefers the full form of an event over the shortened form of a tool", () => {
  const events = collectEvents([
    step("tool", { logs: [{ id: "a", timestamp: "t", message: "cut" }] }),
    step("reader", [{ id: "a", timestamp: "t", message: "whole" }]),
  ]);
  expect(events.get("a")?.message).toBe("whole");
});

it("reads fields and paths into the attributes", () => {
  const event = {
    id: "a",
    host: "ws-7",
    user: null,
    attributes: { "a.b": 1, process: { parent: { name: "winword.exe" } } },
  };
  expect(readField(event, "host")).toBe("ws-7");
  expect(readField(event, "user")).toBeUndefined();
  expect(readField(event, "a.b")).toBe("1");
  expect(readField(event, "process.parent.name")).toBe("winword.exe");
  expect(readField(event, "process.child")).toBeUndefined();
  expect(readField(event, "*")).toBeUndefined();
});
