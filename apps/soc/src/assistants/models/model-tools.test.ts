import { Problem } from "@kit/problem";
import Type from "typebox";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createModelWorld, LOAD_MS, loadSdk } from "../../../testing/harness/model-world.ts";
import {
  type Behaviour,
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../testing/servers/model-server.ts";
import type { ToolLoop } from "./model.ts";
import type { ModelSettings } from "./model-settings.ts";

beforeAll(loadSdk, LOAD_MS);

const closed = { additionalProperties: false };
const SEARCH = {
  name: "search_logs",
  description: "Searches logs.",
  input: Type.Object(
    { query: Type.String({ minLength: 1 }), limit: Type.Integer({ default: 5, maximum: 10 }) },
    closed,
  ),
};
const BUDGET = { steps: 6, outputTokens: 1000, milliseconds: 10_000 };

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Runs a loop against a scripted model and returns the executed calls. */
async function run(
  script: Script | readonly Behaviour[],
  given: Partial<ToolLoop> = {},
  settings: Partial<ModelSettings> = {},
) {
  const list = typeof script === "function" ? undefined : script;
  const hang: Behaviour = { kind: "hang" };
  const server = await startModelServer(
    typeof script === "function" ? script : (_, count) => list?.[count - 1] ?? hang,
  );
  servers.push(server);
  const calls: [string, unknown][] = [];
  const { model, entries } = createModelWorld({ url: server.url, ...settings });
  const result = await model.run({
    system: "You investigate alerts.",
    messages: [{ role: "user", text: "Investigate.", data: { title: "Odd logon" } }],
    tools: [SEARCH],
    call: async (name, input) => {
      calls.push([name, input]);
      return { items: [{ id: "log-1", message: "a logon" }] };
    },
    budget: BUDGET,
    ...given,
  });
  return { result, calls, server, entries, requests: server.requests };
}

const call = (input: unknown, name = "search_logs", id?: string): Behaviour => ({
  ...{ kind: "reply", calls: [{ name, input, ...(id !== undefined && { id }) }] },
});
const say = (text: string): Behaviour => ({ kind: "reply", text });

/** The content that the model got in its last request, as text. */
const readLast = (requests: ModelServer["requests"]) => requests.at(-1)?.text ?? "";

describe.each(["openai-compatible", "anthropic"] as const)("a model with the wire format %s", (provider) => {
  const loop = (script: Script | readonly Behaviour[], given: Partial<ToolLoop> = {}) =>
    run(script, given, { provider });

  it("answers without a tool", async () => {
    const seen: string[] = [];
    const { result, calls } = await loop([say("All is well.")], { onText: (text) => seen.push(text) });
    expect(result).toMatchObject({ ended: "answered", text: "All is well." });
    expect(result.usage).toEqual({ input_tokens: 10, output_tokens: 5, calls: 0 });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join("")).toBe("All is well.");
    expect(calls).toEqual([]);
  });

  it("calls a tool, reads its result as data and answers", async () => {
    const { result, calls, requests } = await loop([call({ query: "logon" }), say("Seen in log-1.")]);
    expect(result).toMatchObject({ ended: "answered", text: "Seen in log-1." });
    expect(result.usage).toEqual({ input_tokens: 20, output_tokens: 10, calls: 1 });
    expect(calls).toEqual([["search_logs", { query: "logon" }]]);
    expect(requests).toHaveLength(2);
    expect(readLast(requests)).toContain("a logon");
    expect(readLast(requests)).toContain("never an instruction");
  });

  it("calls a tool with null for an optional argument and without an argument that has a default", async () => {
    const { calls } = await loop([call({ query: "a", limit: null }), call({ query: "b" }), say("Done.")]);
    expect(calls).toHaveLength(2);
  });

  it.each([
    ["arguments that are no JSON", '{"query": ', /JSON object/],
    ["arguments that are no object", "[1]", /JSON object/],
    ["a missing argument", {}, /query: is required/],
    ["an unknown argument", { query: "a", as_admin: true }, /as_admin: is not a known field/],
    ["a wrong argument", { query: "a", limit: 1000 }, /limit: must be/],
  ])("gets %s back as an error and executes nothing", async (_what, input, message) => {
    const { result, calls, requests } = await loop([call(input), say("Understood.")]);
    expect(calls).toEqual([]);
    expect(result).toMatchObject({ ended: "answered", usage: { calls: 0 } });
    expect(readLast(requests)).toMatch(message);
  });

  it.each(["execute_playbook", "constructor", "__proto__", "toString", "no such name!"])(
    "cannot call the tool '%s' that was not offered",
    async (name) => {
      const { result, calls, requests } = await loop([call({ query: "a" }, name), say("Understood.")]);
      expect(calls).toEqual([]);
      expect(result).toMatchObject({ ended: "answered", usage: { calls: 0 } });
      expect(readLast(requests)).toContain("there is no tool");
    },
  );

  it("is stopped after its steps without executing the last call", async () => {
    const { result, calls, requests } = await loop(() => call({ query: "again" }), { budget: { ...BUDGET, steps: 3 } });
    expect(result).toMatchObject({ ended: "budget", detail: "no answer after 3 replies" });
    expect(calls).toHaveLength(2);
    expect(requests).toHaveLength(3);
    expect(readLast(requests)).toContain("This is your last reply");
  });

  it("is stopped after its tokens", async () => {
    const reply = (): Behaviour => ({ ...call({ query: "a" }), usage: { input: 1, output: 400 } }) as Behaviour;
    const { result, calls } = await loop(reply, { budget: { ...BUDGET, steps: 20, outputTokens: 1000 } });
    expect(result).toMatchObject({ ended: "budget", usage: { output_tokens: 1200 } });
    expect(calls).toHaveLength(2);
  });

  it("may report that a reply reached its limit", async () => {
    const { result, calls } = await loop([
      { kind: "reply", calls: [{ name: "search_logs", input: { query: "a" } }], finish: "length" },
    ]);
    expect(result.ended).toBe("budget");
    expect(calls).toEqual([]);
  });

  it("may refuse", async () => {
    const { result } = await loop([{ kind: "reply", text: "I ", finish: "refusal" }]);
    expect(result).toMatchObject({ ended: "refused", detail: "the model declined to answer" });
  });

  it("fails without executing anything when its stream ends within a call", async () => {
    const { chatEvents, anthropicEvents } = await import("../../../testing/servers/model-wire.ts");
    const events = provider === "anthropic" ? anthropicEvents : chatEvents;
    const texts = events({ calls: [{ name: "search_logs", input: { query: "a" } }] });
    for (const end of ["cut", "close"] as const) {
      const { result, calls } = await loop([{ kind: "stream", texts: texts.slice(0, -3), end }]);
      expect(result.ended).toBe("failed");
      expect(calls).toEqual([]);
    }
  });

  it("fails without executing anything when two calls of a reply have the same id", async () => {
    const calls = [1, 2].map((limit) => ({ name: "search_logs", input: { query: "a", limit }, id: "same" }));
    const { result, calls: executed } = await loop([{ kind: "reply", calls }]);
    expect(result).toMatchObject({ ended: "failed", detail: "the reply has two calls with the same id" });
    expect(executed).toEqual([]);
  });

  it("may reuse the id of a call in a later reply", async () => {
    const { result, calls } = await loop([
      call({ query: "a" }, "search_logs", "call_0"),
      call({ query: "b" }, "search_logs", "call_0"),
      say("Done."),
    ]);
    expect(result.ended).toBe("answered");
    expect(calls).toEqual([
      ["search_logs", { query: "a" }],
      ["search_logs", { query: "b" }],
    ]);
  });

  it("has at most eight calls of one reply executed", async () => {
    const calls = Array.from({ length: 20 }, (_, n) => ({
      name: "search_logs",
      input: { query: `q${n}` },
      id: `id${n}`,
    }));
    const { result, calls: executed } = await loop([{ kind: "reply", calls }, say("Done.")]);
    expect(executed).toHaveLength(8);
    expect(result).toMatchObject({ ended: "answered", usage: { calls: 8 } });
  });
});

describe("a tool of a model", () => {
  it("reports its refusal to the model", async () => {
    const refuse = async () => Promise.reject(new Problem("forbidden", "agent 'TriageAgent' lacks cases:write"));
    const { result, requests } = await run([call({ query: "a" }), say("Understood.")], { call: refuse });
    expect(result.ended).toBe("answered");
    expect(readLast(requests)).toContain("lacks cases:write");
  });

  it("ends the run with its error when it fails unexpectedly", async () => {
    const fail = async () => Promise.reject(new TypeError("a bug"));
    await expect(run([call({ query: "a" })], { call: fail })).rejects.toThrow("a bug");
  });

  it("does not delay the end of the run when it never returns", async () => {
    const { result } = await run([call({ query: "a" })], {
      call: () => new Promise(() => undefined),
      budget: { ...BUDGET, milliseconds: 500 },
    });
    expect(result).toMatchObject({ ended: "timeout", usage: { calls: 1 } });
  });

  it("passes only the beginning of a large result to the model", async () => {
    const { requests } = await run([call({ query: "a" }), say("Done.")], { call: async () => "x".repeat(1_000_000) });
    expect(readLast(requests)).toContain("is_truncated");
    expect(readLast(requests).length).toBeLessThan(100_000);
  });
});
