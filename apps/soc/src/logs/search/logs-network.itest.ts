import { EventEmitter, once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Problem } from "@kit/problem";
import { afterEach, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { LogStore } from "../../ports/log-store.ts";

let platform: TestPlatform;
let app: Awaited<ReturnType<typeof siemApp>>;

afterEach(async () => {
  await app.close();
  await platform.close();
});

/** Serves the routes on a real port, with a log store that the test controls. */
async function start(behaviour: Partial<LogStore>) {
  platform = await testPlatform("real");
  app = await siemApp(platform, { logStore: { ...absentLogStore(), ...behaviour } });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return (method: string, path: string, body?: object): ClientRequest => {
    const headers = body ? { "content-type": "application/json" } : {};
    const asked = request({ port, host: "127.0.0.1", method, path: `/api/v1/siem/${path}`, headers });
    asked.end(body && JSON.stringify(body));
    return asked;
  };
}

async function readAnswer(asked: ClientRequest) {
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
}

/** A search that ends only when its client disconnects. */
function endless() {
  const events = new EventEmitter<{ asked: [AbortSignal] }>();
  const asked = once(events, "asked");
  const search = async (_search: unknown, signal?: AbortSignal): Promise<never> => {
    if (!signal) throw new Error("a search without a signal cannot be cancelled");
    events.emit("asked", signal);
    await once(signal, "abort");
    throw signal.reason;
  };
  return { search, asked };
}

describe("a search", () => {
  it.each([
    ["GET", "logs"],
    ["GET", "logs/histogram"],
    ["GET", "logs/facets"],
    ["GET", "fields"],
    ["GET", "fields/host/values"],
    ["POST", "aggregate"],
  ])("ends a search when its client disconnects: %s %s", async (method, path) => {
    const { search, asked } = endless();
    const ask = await start({ search, summarise: search });
    const leaving = ask(method, path, method === "POST" ? {} : undefined);
    leaving.on("error", () => undefined);
    const [signal] = await asked;
    expect(signal.aborted).toBe(false);
    leaving.destroy();
    await once(signal, "abort");
    expect(signal.reason).toMatchObject({ kind: "unavailable", message: "the client has disconnected" });
  });

  it.each([
    ["GET", "logs"],
    ["GET", "logs/histogram"],
    ["GET", "logs/facets"],
    ["GET", "fields"],
    ["GET", "fields/host/values"],
    ["POST", "aggregate"],
    ["GET", "process-tree?host=srv-7"],
  ])("ends a search when its caller cancels it: %s %s", async (method, path) => {
    const { search, asked } = endless();
    const ask = await start({ search, summarise: search });
    const named = `${path}${path.includes("?") ? "&" : "?"}search_id=mine_1`;
    const searching = once(ask(method, named, method === "POST" ? {} : undefined), "response");
    const [signal] = await asked;
    const cancelled = await readAnswer(ask("DELETE", "searches/mine_1"));
    expect(cancelled).toEqual({ status: 200, body: { search_id: "mine_1", cancelled: 1 } });
    expect(signal.aborted).toBe(true);
    const [answer] = (await searching) as [IncomingMessage];
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
      409,
      { detail: "search_id: the search was cancelled" },
    ]);
    const again = await readAnswer(ask("DELETE", "searches/mine_1"));
    expect(again).toEqual({ status: 200, body: { search_id: "mine_1", cancelled: 0 } });
  });

  it("cancels nothing after the response of a search or under another name", async () => {
    const ask = await start({ search: async () => [], count: async () => 0 });
    expect((await readAnswer(ask("GET", "logs?search_id=mine"))).status).toBe(200);
    for (const search_id of ["mine", "other", ".."]) {
      const answer = await readAnswer(ask("DELETE", `searches/${search_id.replaceAll(".", "%2e")}`));
      expect(answer).toEqual({ status: 200, body: { search_id, cancelled: 0 } });
    }
  });

  it.each(["", "a b", "a/b", "x".repeat(65)])("refuses the search name %j", async (id) => {
    const ask = await start({});
    expect(await readAnswer(ask("GET", `logs?search_id=${encodeURIComponent(id)}`))).toEqual({
      status: 400,
      body: { detail: "search_id: must be 1 to 64 letters, digits, _ or -" },
    });
  });

  it("does not abort a hunt because the request body was read", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const ask = await start({
      async search(_search, signal) {
        signals.push(signal);
        await platform.clock.sleep(100);
        return signal?.aborted ? [] : [sampleLog({ id: "found" })];
      },
    });
    const created = ask("POST", "hunts", { title: "X" });
    const [answer] = (await once(created, "response")) as [IncomingMessage];
    const { id } = JSON.parse(await text(answer));
    const [ran] = (await once(ask("POST", `hunts/${id}/run`, {}), "response")) as [IncomingMessage];
    expect(JSON.parse(await text(ran))).toMatchObject({ total: 1, logs: [{ id: "found" }] });
    expect(signals).toHaveLength(1);
  });
});

describe("an export", () => {
  it("breaks the connection if the stream fails, instead of ending normally", async () => {
    const ask = await start({
      count: async () => 2,
      async *stream() {
        yield [sampleLog({ id: "first" })];
        throw new Problem("unavailable", "the log store does not answer");
      },
    });
    const [answer] = (await once(ask("GET", "logs/export"), "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    await expect(text(answer)).rejects.toThrow("aborted");
  });

  it("reads at the pace of its client and stops when the client disconnects", async () => {
    let blocks = 0;
    const block = Array.from({ length: 1000 }, (_, number) => sampleLog({ id: `${number}`, raw: "x".repeat(1000) }));
    const events = new EventEmitter<{ stopped: [] }>();
    const stopped = once(events, "stopped");
    const ask = await start({
      count: async () => 1_000_000,
      async *stream() {
        try {
          for (; blocks < 1000; blocks += 1) yield block;
        } finally {
          events.emit("stopped");
        }
      },
    });
    const asked = ask("GET", "logs/export");
    asked.on("error", () => undefined);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.on("error", () => undefined);
    answer.pause();
    await platform.clock.sleep(500);
    // 1.3 MB each: as much as the buffers of a connection hold, not 1.3 GB.
    expect(blocks).toBeLessThan(30);
    asked.destroy();
    await stopped;
    expect(blocks).toBeLessThan(30);
  });
});
