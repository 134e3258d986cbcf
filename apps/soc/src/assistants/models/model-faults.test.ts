import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { createClock } from "@kit/clock";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createModelWorld, LOAD_MS, loadSdk } from "../../../testing/harness/model-world.ts";
import {
  type Behaviour,
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../testing/servers/model-server.ts";
import { chatEvents } from "../../../testing/servers/model-wire.ts";
import type { ToolLoop } from "./model.ts";
import type { ModelSettings } from "./model-settings.ts";

beforeAll(loadSdk, LOAD_MS);

const BUDGET = { steps: 4, outputTokens: 1000, milliseconds: 10_000 };
const KEY = "sk-very-secret-key-0123456789";
const clock = createClock();

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer(script);
  servers.push(server);
  return server;
}

async function run(script: Script, given: Partial<ToolLoop> = {}, settings: Partial<ModelSettings> = {}) {
  const server = await serve(script);
  const { model, entries } = createModelWorld({ url: server.url, key: KEY, ...settings });
  const began = clock.monotonicMs();
  const result = await model.run({
    ...{ system: "s", messages: [{ role: "user", text: "Go." }], tools: [], budget: BUDGET },
    call: () => Promise.reject(new Error("unexpected call")),
    ...given,
  });
  return { result, server, entries, tookMs: clock.monotonicMs() - began };
}

const say = (text: string): Behaviour => ({ kind: "reply", text });
const stream = (texts: Iterable<string>, end: "close" | "cut" | "hang" = "close", gapMs = 0): Behaviour => ({
  ...{ kind: "stream", texts, end, gapMs },
});
const inTurn =
  (...behaviours: Behaviour[]): Script =>
  (_, count) =>
    behaviours[count - 1] ?? { kind: "hang" };

function* repeat(text: string, times: number): Generator<string> {
  for (let each = 0; each < times; each += 1) yield text;
}
const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

describe("faults of a model provider", () => {
  it.each<[string, Behaviour, string, string]>([
    ["HTTP 400", { kind: "status", status: 400 }, "failed", "the model answered 400"],
    ["HTTP 401", { kind: "status", status: 401, body: `bad key ${KEY}` }, "failed", "the model answered 401"],
    ["HTTP 500", { kind: "status", status: 500 }, "failed", "the model answered 500"],
    ["HTTP 503 without a body", { kind: "status", status: 503, body: "" }, "failed", "the model answered 503"],
    ["no stream", { kind: "status", status: 200, body: '{"choices":[]}' }, "failed", "the reply ended early"],
    ["no body", { kind: "status", status: 204, body: "" }, "failed", "the reply is not valid"],
    [
      "a redirect",
      { kind: "status", status: 307, headers: { location: "http://127.0.0.1:1/" } },
      "failed",
      "model: must not redirect more than 0 times",
    ],
    ["an empty reply", { kind: "reply" }, "failed", "the reply is empty"],
    ["a reply of spaces", say(" \n "), "failed", "the reply is empty"],
    [
      "a refusal in its own field",
      { kind: "reply", refusal: "I cannot help." },
      "refused",
      "the model declined to answer",
    ],
    ["a stream without an end", stream([delta("a")]), "failed", "the reply ended early"],
    ["invalid JSON", stream(["data: {oops\n\n", "data: [DONE]\n\n"]), "failed", "the reply is not valid"],
    ["JSON of another shape", stream(['data: {"choices": 7}\n\n']), "failed", "the reply is not valid"],
    [
      "an error within the stream",
      stream([`data: {"error":{"message":"overloaded ${KEY}"}}\n\n`]),
      "failed",
      "the reply is not valid",
    ],
    ["a cut stream", stream([delta("a")], "cut"), "failed", "model: the connection broke"],
  ])("ends the run with a reason: %s", async (_what, behaviour, ended, detail) => {
    const { result, server } = await run(() => behaviour);
    expect({ ended: result.ended, detail: result.detail }).toEqual({ ended, detail });
    // The key reaches only the provider.
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(server.requests[0]?.text).not.toContain(KEY);
  });

  it.each<[string, Behaviour]>([
    ["says nothing", { kind: "hang" }],
    ["stops within a reply", stream([delta("a")], "hang")],
    ["drips for ever", stream(repeat(delta("a"), 1_000_000), "hang", 20)],
    ["sends comments for ever", stream(repeat(": still here\n\n", 1_000_000), "hang", 20)],
  ])("ends the run after its time for a provider that %s", async (_what, behaviour) => {
    const { result, tookMs, entries } = await run(() => behaviour, { budget: { ...BUDGET, milliseconds: 600 } });
    expect(result).toMatchObject({ ended: "timeout", detail: "no answer within 600 ms" });
    expect(tookMs).toBeLessThan(3000);
    expect(entries.map(({ outcome }) => outcome)).toEqual(["intended", "failed"]);
  });

  it("ends a single question after its time for a silent provider", async () => {
    const server = await startModelServer(() => ({ kind: "hang" }));
    const { model } = createModelWorld({ url: server.url });
    const question = { system: "s", turns: [{ role: "user" as const, text: "Go." }], maxOutputTokens: 10, tools: [] };
    const { signal } = new AbortController();
    expect(await model.ask(question, { milliseconds: 300, signal })).toMatchObject({
      ...{ kind: "failed", detail: "no answer within 300 ms" },
    });
    await expect(model.ask(question, { milliseconds: 5000, signal: AbortSignal.timeout(200) })).rejects.toThrow();
    await server.close();
  });

  it.each<[string, () => Iterable<string>]>([
    ["10 MB of text", () => repeat(delta("x".repeat(10_000)), 1000)],
    ["10 MB of one line", () => ["data: ", ...repeat("x".repeat(100_000), 100)]],
  ])("ends the run with a reason: %s", async (_what, texts) => {
    const { result, tookMs } = await run(() => stream(texts()));
    expect(result).toMatchObject({ ended: "budget", detail: "the replies have more than 4194304 bytes" });
    expect(tookMs).toBeLessThan(10_000);
  });

  it("does not send a prompt that is too large", async () => {
    const { result, server } = await run(() => say("a"), {
      messages: [{ role: "user", text: "x".repeat(3 * 1024 * 1024) }],
    });
    expect(result).toMatchObject({ ended: "budget", detail: "the request has more than 2097152 bytes" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("model runs", () => {
  it("end immediately when cancelled", async () => {
    const controller = new AbortController();
    const { result, tookMs } = await run(
      () => {
        controller.abort();
        return { kind: "hang" };
      },
      { signal: controller.signal },
    );
    expect(result).toMatchObject({ ended: "cancelled", detail: "cancelled" });
    expect(tookMs).toBeLessThan(3000);
  });

  it("send nothing when cancelled beforehand", async () => {
    const { result, server } = await run(() => say("a"), { signal: AbortSignal.abort() });
    expect(result.ended).toBe("cancelled");
    expect(server.connections()).toBe(0);
  });

  it("are recorded before and after each request without its content", async () => {
    const { entries, server } = await run(() => say("Secret finding."));
    expect(entries.map(({ outcome }) => outcome)).toEqual(["intended", "answered"]);
    expect(entries[0]).toMatchObject({
      ...{ kind: "question", destination: "model", method: "POST", path: "/v1/chat/completions" },
      host: `127.0.0.1:${server.port}`,
    });
    expect(JSON.stringify(entries)).not.toMatch(/Secret finding|sk-very/);
  });

  it("send no request in dummy mode", async () => {
    const server = await serve(() => say("a"));
    const { model, entries } = createModelWorld({ url: server.url }, "dummy");
    const loop = { system: "s", messages: [], tools: [], call: async () => null, budget: BUDGET };
    expect(await model.run({ ...loop, messages: [{ role: "user", text: "Go." }] })).toMatchObject({ ended: "failed" });
    expect(entries.map(({ outcome }) => outcome)).toEqual(["refused"]);
    expect(server.connections()).toBe(0);
  });
});

describe("one retry of a model request", () => {
  it.each<[string, Behaviour]>([
    ["429 with Retry-After", { kind: "status", status: 429, headers: { "retry-after": "1" } }],
    ["503", { kind: "status", status: 503 }],
    ["a closed connection", { kind: "cut" }],
  ])("is made after %s", async (_what, first) => {
    const { result, server, tookMs } = await run(inTurn(first, say("Now.")));
    expect(result).toMatchObject({ ended: "answered", text: "Now." });
    expect(server.requests).toHaveLength(2);
    if (first.kind === "status" && first.status === 429) expect(tookMs).toBeGreaterThanOrEqual(1000);
  });

  it("is the only one", async () => {
    const { result, server } = await run(() => ({ kind: "status", status: 500 }));
    expect(result.ended).toBe("failed");
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, Behaviour]>([
    ["400", { kind: "status", status: 400 }],
    ["429 that asks for a long wait", { kind: "status", status: 429, headers: { "retry-after": "60" } }],
    ["a stream that was cut", stream([delta("a")], "cut")],
  ])("is not made after %s", async (_what, first) => {
    const { result, server } = await run(inTurn(first, say("Now.")));
    expect(result.ended).toBe("failed");
    expect(server.requests).toHaveLength(1);
  });

  it("is not made after a tool was called", async () => {
    const { default: Type } = await import("typebox");
    const tool = { name: "count", description: "Counts.", input: Type.Object({}) };
    const call = vi.fn(async () => ({ n: 1 }));
    const first: Behaviour = { kind: "reply", calls: [{ name: "count", input: {} }] };
    const { result, server } = await run(inTurn(first, { kind: "status", status: 500 }), { tools: [tool], call });
    expect(result.ended).toBe("failed");
    expect(call).toHaveBeenCalledTimes(1);
    expect(server.requests).toHaveLength(2);
  });
});

describe("model requests reach only the configured address", () => {
  it.each(["openai-compatible", "anthropic"] as const)("with %s", async (provider) => {
    const globalFetch = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("not the platform's way out"));
    const ports = new Set<number | undefined>();
    const note = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once("connect", () => ports.add(socket.remotePort));
    };
    subscribe("net.client.socket", note);
    try {
      const { result, server } = await run(() => say("Hello."), {}, { provider, model: "openai/gpt-5" });
      expect(result.ended).toBe("answered");
      expect([...ports]).toEqual([server.port]);
      expect(server.requests.map(({ body }) => body.model)).toEqual(["openai/gpt-5"]);
      expect(server.requests[0]?.headers).not.toHaveProperty("user-agent");
      expect(globalFetch).not.toHaveBeenCalled();
    } finally {
      unsubscribe("net.client.socket", note);
      globalFetch.mockRestore();
    }
  });

  it("even if a reply names another address", async () => {
    const [first = "", ...rest] = chatEvents({ text: "See http://127.0.0.1:9/x and ![a](http://127.0.0.1:9/y)" });
    const { result } = await run(() => stream([first, ...rest]));
    expect(result.ended).toBe("answered");
  });
});
