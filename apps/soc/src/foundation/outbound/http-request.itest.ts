import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testPlatform } from "../../../testing/harness/feature-app.ts";
import type { RunContext } from "../actions/action.ts";
import { ALL_SITES } from "../caller/caller.ts";
import type { Mode } from "../runtime/runtime.schema.ts";
import { readHttpAdapters } from "./http-adapters.ts";
import { createOutbound } from "./outbound.feature.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const context: RunContext = {
  execution_id: "019a3333-0000-7000-8000-000000000001",
  playbook_id: "p",
  step_id: "tell",
  scope: ALL_SITES,
  actor: "amina",
  alert_id: null,
  case_id: null,
  idempotencyKey: "019a3333:tell:0",
  signal: new AbortController().signal,
};

let folder: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "http-adapters-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true });
});

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

async function startTicketing(status = 200, answer = '{"ticket":"T-1"}') {
  const seen: ReceivedRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      response.writeHead(status).end(answer);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    seen,
    connections: () => connections,
  };
}

function writeList(list: unknown, keyMode = 0o600): string {
  const path = join(folder, "adapters.json");
  writeFileSync(join(folder, "ticketing.key"), `${KEY}\n`, { mode: keyMode });
  writeFileSync(path, JSON.stringify(list));
  return path;
}

async function start(mode: Mode, url: string) {
  const platform = await testPlatform(mode);
  closing.push(() => platform.close());
  const { db, clock, ids } = platform;
  const [action] = createOutbound(platform, {
    start: { id: ids.next(), at: clock.now(), mode },
    hasDatabase: false,
    httpAdapters: await readHttpAdapters(writeList([{ name: "ticketing", url, key_file: "ticketing.key" }])),
    configured: [],
    mailbox: undefined,
  }).registrations.actions;
  if (!action) throw new Error("no action");
  return { action, db };
}

const TICKET = { adapter: "ticketing", path: "/tickets", body: { title: "Host is isolated" } };

describe("http.request", () => {
  it("sends the described request, signed and with its idempotency key, only to the adapter", async () => {
    const ticketing = await startTicketing();
    const { action } = await start("real", ticketing.url);
    const effect = await action.describe(TICKET, context);
    expect(effect).toEqual({
      summary: "Sends POST /tickets to the adapter 'ticketing'",
      sends: [
        {
          destination: "http:ticketing",
          method: "POST",
          url: `${ticketing.url}/tickets`,
          body: { title: "Host is isolated" },
        },
      ],
    });
    expect(ticketing.connections()).toBe(0);
    expect(await action.run(TICKET, context)).toEqual({ simulated: false, status: 200, answer: { ticket: "T-1" } });
    const [sent] = ticketing.seen;
    expect(sent).toMatchObject({ method: "POST", url: "/api/tickets", body: '{"title":"Host is isolated"}' });
    expect(sent?.headers["idempotency-key"]).toBe("019a3333:tell:0");
    const signed = `POST\n/api/tickets\n${String(sent?.headers["x-soc-timestamp"])}\n${sent?.body ?? ""}`;
    expect(sent?.headers["x-soc-signature"]).toBe(`v1=${createHmac("sha256", KEY).update(signed).digest("hex")}`);
  });

  it.each([
    [{ adapter: "http://203.0.113.9/" }, "adapter: 'http://203.0.113.9/' is not configured"],
    [{ adapter: "ticketing", url: "http://203.0.113.9/" }, /./],
    [{ adapter: "ticketing", path: "/../admin" }, /./],
    [{ adapter: "ticketing", path: "//203.0.113.9" }, /./],
    [{ adapter: "ticketing", path: "/a?b" }, /./],
    [{ adapter: "ticketing", path: "@203.0.113.9" }, /./],
    [{ adapter: "ticketing", body: { text: "x".repeat(300_000) } }, "body: must be at most 262144 bytes"],
  ])("refuses to describe and to run %j", async (params, why) => {
    const ticketing = await startTicketing();
    const { action } = await start("real", ticketing.url);
    await expect(action.describe(params, context)).rejects.toThrow(why);
    await expect(action.run(params, context)).rejects.toThrow(why);
    expect(ticketing.connections()).toBe(0);
  });

  it("fails if the adapter fails, and reports only its status", async () => {
    const ticketing = await startTicketing(500, "secret trace");
    const { action } = await start("real", ticketing.url);
    await expect(action.run(TICKET, context)).rejects.toThrow(/^adapter: 'ticketing' answered 500$/);
  });

  it("sends nothing in dry_run and dummy mode", async () => {
    const ticketing = await startTicketing();
    const dry = await start("dry_run", ticketing.url);
    expect(await dry.action.run(TICKET, context)).toEqual({ simulated: true });
    expect(await dry.db.selectFrom("outbound_log").select(["destination", "outcome"]).execute()).toEqual([
      { destination: "http:ticketing", outcome: "recorded" },
    ]);
    const dummy = await start("dummy", ticketing.url);
    await expect(dummy.action.run(TICKET, context)).rejects.toThrow("Runtime mode 'dummy' blocks this change");
    expect(ticketing.connections()).toBe(0);
  });
});

describe("readHttpAdapters", () => {
  const one = { name: "ticketing", url: "https://tickets.example/api/", key_file: "ticketing.key" };

  it("reads the list with the keys in the same folder", async () => {
    expect(await readHttpAdapters(undefined)).toEqual([]);
    expect(await readHttpAdapters(writeList([one]))).toEqual([
      { name: "ticketing", url: "https://tickets.example/api", key: Buffer.from(KEY) },
    ]);
  });

  it.each([
    [[one, one], "SOC_HTTP_ADAPTERS: 'ticketing' is named twice"],
    [{ one }, "SOC_HTTP_ADAPTERS: must hold a list of adapters"],
    [[{ ...one, url: "file:///etc/passwd" }], "SOC_HTTP_ADAPTERS: must hold a list of adapters"],
    [[{ ...one, key_file: "none.key" }], "SOC_HTTP_ADAPTERS: key_file of 'ticketing': must name a readable file"],
  ])("refuses %j", async (list, why) => {
    await expect(readHttpAdapters(writeList(list))).rejects.toThrow(why);
  });

  it("refuses a key that others may read, and a missing list", async () => {
    await expect(readHttpAdapters(writeList([one], 0o644))).rejects.toThrow("must be accessible to its owner only");
    await expect(readHttpAdapters(join(folder, "none.json"))).rejects.toThrow("must name a readable JSON file");
  });
});
