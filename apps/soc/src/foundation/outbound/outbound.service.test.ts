import { Readable } from "node:stream";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import type { OutboundAnswer, OutboundRequest } from "@kit/guard/fetch";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import type { Mode } from "../runtime/runtime.schema.ts";
import { createRuntimeService } from "../runtime/runtime.service.ts";
import type { Dispatch, OutboundEntry } from "./dispatch.ts";
import { createMemoryOutboundStore } from "./memory-outbound.store.ts";
import { createOutboundService } from "./outbound.service.ts";
import type { OutboundStore } from "./outbound.store.ts";

const EFFECT: Dispatch = {
  kind: "effect",
  destination: "edr",
  purpose: "isolate an endpoint",
  method: "POST",
  url: "https://edr.example.org/isolate",
  headers: { authorization: "Bearer s3cret" },
  body: "hello",
  timeoutMs: 5000,
};

interface Options {
  hasDatabase?: boolean;
  answer?: (request: OutboundRequest) => Promise<Partial<OutboundAnswer>>;
  /** Makes storing entries with this outcome fail. */
  losing?: OutboundEntry["outcome"];
}

function createWayOut(mode: Mode, { hasDatabase = true, answer = async () => ({}), losing }: Options = {}) {
  const clock = createFakeClock();
  const opened: [string, OutboundRequest][] = [];
  const entries: OutboundEntry[] = [];
  const warnings: string[] = [];
  const memory = createMemoryOutboundStore({ start: { id: "1", at: clock.now(), mode }, isAlone: true });
  const store: OutboundStore = {
    ...memory,
    async append(entry) {
      if (entry.outcome === losing) throw new Error("the disk is full");
      entries.push(entry);
    },
  };
  const outbound = createOutboundService({
    runtime: createRuntimeService({ mode, database: { isAvailable: async () => hasDatabase } }),
    stores: { database: store, showcase: store },
    guard: {
      check: () => Promise.reject(new Error("unexpected check")),
      async open(url, request) {
        opened.push([url, request]);
        return { status: 200, headers: {}, body: Readable.from([]), url: new URL(url), ...(await answer(request)) };
      },
    },
    privateDestinations: new Set(["model"]),
    clock,
    ids: createFakeIds(),
    log: { warn: (_fields, message) => warnings.push(message) },
  });
  return {
    send: (dispatch: Dispatch) => outbound.send(dispatch),
    stream: (...given: Parameters<typeof outbound.stream>) => outbound.stream(...given),
    clock,
    opened,
    entries,
    warnings,
    outcomes: () => entries.map(({ outcome }) => outcome),
  };
}

describe("sending in each mode", () => {
  // The mode table for outbound requests: effects and questions, in each mode.
  it.each([
    ["effect", "dummy", ["refused"], 0],
    ["effect", "dry_run", ["recorded"], 0],
    ["effect", "real", ["intended", "answered"], 1],
    ["question", "dummy", ["refused"], 0],
    ["question", "dry_run", ["intended", "answered"], 1],
    ["question", "real", ["intended", "answered"], 1],
  ] as const)("records the dispatch of an %s in %s as %j", async (kind, mode, outcomes, count) => {
    const { send, opened, entries } = createWayOut(mode);
    await send({ ...EFFECT, kind }).catch(() => undefined);
    expect(opened).toHaveLength(count);
    expect(entries.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(entries.map((entry) => [entry.kind, entry.mode])).toEqual(outcomes.map(() => [kind, mode]));
  });

  it.each(["effect", "question"] as const)(
    "refuses an %s in dummy mode with the error text of every blocked change",
    async (kind) => {
      for (const hasDatabase of [true, false]) {
        const { send } = createWayOut("dummy", { hasDatabase });
        await expect(send({ ...EFFECT, kind })).rejects.toMatchObject({
          kind: "forbidden",
          message: "Runtime mode 'dummy' blocks this change",
        });
      }
    },
  );

  it("reports an effect as recorded in dry_run, without a response", async () => {
    const { send, entries } = createWayOut("dry_run");
    expect(await send(EFFECT)).toEqual({ outcome: "recorded", id: entries[0]?.id });
  });

  it.each(["dry_run", "real"] as const)("sends nothing in %s while it cannot be recorded", async (mode) => {
    const { send, opened } = createWayOut(mode, { hasDatabase: false });
    await expect(send({ ...EFFECT, kind: "question" })).rejects.toMatchObject({ kind: "unavailable" });
    expect(opened).toEqual([]);
  });

  it("sends nothing if recording its intent fails", async () => {
    const { send, opened } = createWayOut("real", { losing: "intended" });
    await expect(send(EFFECT)).rejects.toThrow("the disk is full");
    expect(opened).toEqual([]);
  });
});

describe("a dispatch", () => {
  it("records a dispatch before it is sent, and its response afterwards", async () => {
    const seen: string[] = [];
    const way = createWayOut("real", {
      async answer() {
        seen.push(...way.outcomes());
        return { status: 503, body: Readable.from([Buffer.from("try "), Buffer.from("later")]) };
      },
    });
    const receipt = await way.send(EFFECT);
    expect(seen).toEqual(["intended"]);
    const [intended, answered] = way.entries;
    expect(answered).toMatchObject({ outcome: "answered", status: 503, of: intended?.id });
    expect(receipt).toEqual({
      outcome: "answered",
      id: intended?.id,
      answer: { status: 503, body: Buffer.from("try later") },
    });
  });

  it("records a dispatch as failed if the receiver does not respond", async () => {
    const way = createWayOut("real", { answer: () => Promise.reject(new Problem("unavailable", "edr: gone")) });
    await expect(way.send(EFFECT)).rejects.toThrow("edr: gone");
    const [intended, failed] = way.entries;
    expect(failed).toMatchObject({ outcome: "failed", status: null, of: intended?.id });
  });

  it("aborts a dispatch after its timeout, even in the middle of the response", async () => {
    const way = createWayOut("real", {
      answer: async ({ signal }) => {
        const body = new Readable({ read: () => undefined });
        signal?.addEventListener("abort", () => body.destroy(new Error("aborted")));
        return { body };
      },
    });
    const sent = way.send(EFFECT).catch((error: unknown) => error);
    await way.clock.advance(0);
    await way.clock.advance(4999);
    expect(way.outcomes()).toEqual(["intended"]);
    await way.clock.advance(1);
    expect(await sent).toMatchObject({ kind: "unavailable", message: "edr: no answer within 5000 ms" });
    expect(way.outcomes()).toEqual(["intended", "failed"]);
  });

  it.each([
    [1_048_576, "answered"],
    [1_048_577, "failed"],
  ])("records a dispatch with a response of %i bytes as %s", async (size, outcome) => {
    const body = Readable.from([Buffer.alloc(size - 1), Buffer.alloc(1)]);
    const way = createWayOut("real", { answer: async () => ({ body }) });
    await way.send(EFFECT).catch(() => undefined);
    expect(way.outcomes()).toEqual(["intended", outcome]);
    expect(body.destroyed).toBe(true);
  });

  it("succeeds even if its end cannot be recorded, so that no caller repeats it", async () => {
    const way = createWayOut("real", { losing: "answered" });
    expect(await way.send(EFFECT)).toMatchObject({ outcome: "answered" });
    expect(way.warnings).toEqual(["recording the end of a dispatch failed"]);
  });
});

describe("a streamed response", () => {
  const twoParts = async () => ({ status: 201, body: Readable.from([Buffer.from("one"), Buffer.from("two")]) });

  it("reads a streamed response while it arrives, and records its end after the reader has finished", async () => {
    const way = createWayOut("real", { answer: twoParts });
    const seen: string[] = [];
    const receipt = await way.stream(EFFECT, async ({ status, body }) => {
      seen.push(String(status));
      for await (const chunk of body) seen.push(chunk.toString(), ...way.outcomes());
    });
    expect(seen).toEqual(["201", "one", "intended", "two", "intended"]);
    expect(way.outcomes()).toEqual(["intended", "answered"]);
    expect(receipt).toEqual({ outcome: "answered", id: way.entries[0]?.id, answer: { status: 201 } });
  });

  it("records a streamed response as failed and closes it if its reader fails", async () => {
    const answer = await twoParts();
    const way = createWayOut("real", { answer: async () => answer });
    const stop = () => Promise.reject(new Error("enough"));
    await expect(way.stream(EFFECT, stop)).rejects.toThrow("enough");
    expect(way.outcomes()).toEqual(["intended", "failed"]);
    expect(answer.body.destroyed).toBe(true);
  });

  it.each(["stream", "send"] as const)("stops streamed and plain responses when the sender aborts: %s", async (how) => {
    const way = createWayOut("real", {
      answer: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    });
    const controller = new AbortController();
    const dispatch = { ...EFFECT, signal: controller.signal };
    const sent = how === "send" ? way.send(dispatch) : way.stream(dispatch, async () => undefined);
    const refused = expect(sent).rejects.toThrow("no longer wanted");
    await way.clock.advance(0);
    controller.abort(new Error("no longer wanted"));
    await refused;
    expect(way.outcomes()).toEqual(["intended", "failed"]);
  });

  it("requests no streamed response in dummy mode", async () => {
    const way = createWayOut("dummy");
    const read = () => Promise.reject(new Error("unexpected answer"));
    await expect(way.stream({ ...EFFECT, kind: "question" }, read)).rejects.toMatchObject({ kind: "forbidden" });
    expect(way.opened).toEqual([]);
  });
});

describe("the outbound guard", () => {
  it.each([
    ["webhook", ["https:"], false],
    ["model", ["http:", "https:"], true],
  ])("receives the policy of the destination %s", async (destination, schemes, allowPrivate) => {
    const { send, opened } = createWayOut("real");
    await send({ ...EFFECT, destination });
    expect(opened).toEqual([
      [
        "https://edr.example.org/isolate",
        expect.objectContaining({
          field: destination,
          policy: { schemes, allowPrivate },
          method: "POST",
          headers: { authorization: "Bearer s3cret" },
          body: "hello",
          maxRedirects: 0,
          connectTimeoutMs: 5000,
          idleTimeoutMs: 5000,
        }),
      ],
    ]);
  });
});
