import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLog } from "@kit/log/silent";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { outboundRoutes } from "../../reporting/mode-proof/mode-proof.routes.ts";
import type { ModeProofBody } from "../../reporting/mode-proof/mode-proof.schema.ts";
import { createProofService } from "../../reporting/mode-proof/mode-proof.service.ts";
import { verifyProof } from "../../reporting/mode-proof/verify-proof.ts";
import type { Mode } from "../runtime/runtime.schema.ts";
import { buildFacts, type Dispatch } from "./dispatch.ts";
import { createMemoryOutboundStore } from "./memory-outbound.store.ts";
import { createOutbound } from "./outbound.feature.ts";
import { createOutboundService } from "./outbound.service.ts";
import { createOutboundStore, createOutboundWriter } from "./outbound.store.ts";
import { createOutsideGuard } from "./outside-guard.ts";

const HOUR = 3_600_000;
const key = createSampleKey();
const platforms: TestPlatform[] = [];

/** Counts requests and answers them. */
let canary: Server;
let connections = 0;
let address: string;

beforeAll(async () => {
  canary = createServer((request, response) => {
    if (request.url === "/elsewhere") response.writeHead(302, { location: "/" }).end();
    else response.end("alive");
  });
  canary.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
});
afterEach(async () => {
  connections = 0;
  for (const platform of platforms.splice(0)) await platform.close();
});
afterAll(() => new Promise((resolve) => canary.close(resolve)));

async function start(mode: Mode, kind: "fresh" | "none" = "fresh") {
  const platform = await testPlatform(mode, kind);
  platforms.push(platform);
  const { db, runtime, clock, ids, url = "" } = platform;
  const started = { id: ids.next(), at: clock.now(), mode };
  const showcase = createMemoryOutboundStore({ start: started, isAlone: kind === "none" });
  const stores = { database: createOutboundStore(db), showcase };
  if (kind === "fresh") await createOutboundWriter(db).recordStart(started);
  const guard = createOutsideGuard();
  const privateDestinations = new Set(["edr"]);
  const outbound = createOutboundService({ runtime, stores, guard, privateDestinations, clock, ids, log: silentLog });
  const app = await featureApp(platform, outboundRoutes(createProofService({ runtime, stores, key, clock })));
  const { at } = started;
  const ask = (from = at.getTime(), to = clock.now().getTime() + HOUR, headers = {}) =>
    app.inject({
      url: `/api/v1/system/mode/proof?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
      headers,
    });
  const prove = async (from?: number, to?: number): Promise<ModeProofBody> => (await ask(from, to)).json();
  const send = (each: Dispatch) => outbound.send(each);
  return { ...platform, send, started, app, ask, prove, url };
}

async function asOwner(url: string, statement: string): Promise<void> {
  const owner = new pg.Client(url);
  await owner.connect();
  try {
    await owner.query(statement);
  } finally {
    await owner.end();
  }
}

const dispatch = (kind: Dispatch["kind"], path = "/isolate", destination = "edr"): Dispatch => ({
  kind,
  destination,
  purpose: "isolate an endpoint",
  method: "POST",
  url: `${address}${path}`,
  headers: { authorization: "Bearer s3cret" },
  body: "hello",
  timeoutMs: 5000,
});

it("logs a start in another mode than the previous process", async () => {
  const platform = await start("real");
  const { db, clock, ids } = platform;
  const warned: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) };
  const startIn = async (mode: Mode, later: number) => {
    const at = new Date(clock.now().getTime() + later);
    const needs = { hasDatabase: true, httpAdapters: [], configured: [], mailbox: undefined };
    await createOutbound(
      { ...platform, log },
      { ...needs, start: { id: ids.next(), at, mode } },
    ).registrations.onFirstAnswer(db);
    return at;
  };
  await startIn("real", 1000);
  expect(warned).toEqual([]);
  const at_before = await startIn("real", 2000);
  await startIn("dry_run", 3000);
  expect(warned).toEqual([{ mode: "dry_run", mode_before: "real", at_before }]);
});

describe("a dispatch to an external server", () => {
  it.each([
    ["dummy", "none", "effect", 0, { refused: 1, recorded: 0, sent: 0 }],
    ["dummy", "none", "question", 0, { refused: 1, recorded: 0, sent: 0 }],
    ["dummy", "fresh", "effect", 0, { refused: 1, recorded: 0, sent: 0 }],
    ["dummy", "fresh", "question", 0, { refused: 1, recorded: 0, sent: 0 }],
    ["dry_run", "fresh", "effect", 0, { refused: 0, recorded: 1, sent: 0 }],
    ["dry_run", "fresh", "question", 1, { refused: 0, recorded: 0, sent: 1 }],
    ["real", "fresh", "effect", 1, { refused: 0, recorded: 0, sent: 1 }],
    ["real", "fresh", "question", 1, { refused: 0, recorded: 0, sent: 1 }],
  ] as const)(
    "in %s with database '%s' sends %s requests to an external server %i times",
    async (mode, database, kind, count, totals) => {
      const { send, prove } = await start(mode, database);
      await send(dispatch(kind)).catch(() => undefined);
      expect(connections).toBe(count);
      const proof = await prove();
      expect(proof).toMatchObject({ mode, is_complete: true, totals });
      expect(verifyProof(proof, key.key_id)).toMatchObject({ isGenuine: true });
      expect(JSON.stringify(proof)).not.toContain("s3cret");
    },
  );

  it("records the response with its status", async () => {
    const { send, prove } = await start("real");
    const receipt = await send(dispatch("effect"));
    expect(receipt).toMatchObject({ outcome: "answered", answer: { status: 200, body: Buffer.from("alive") } });
    const { entries } = await prove();
    const { port } = canary.address() as AddressInfo;
    const facts = {
      mode: "real",
      kind: "effect",
      destination: "edr",
      purpose: "isolate an endpoint",
      method: "POST",
      host: `127.0.0.1:${port}`,
      path: "/isolate",
      body_sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      body_bytes: 5,
    };
    expect(entries).toEqual([
      { id: receipt.id, at: expect.any(String), ...facts, outcome: "intended", status: null, of: null },
      { id: expect.any(String), at: expect.any(String), ...facts, outcome: "answered", status: 200, of: receipt.id },
    ]);
  });

  it("does not follow a redirect to another server", async () => {
    const { send, prove } = await start("real");
    await expect(send(dispatch("effect", "/elsewhere"))).rejects.toThrow(/must not redirect/);
    expect(connections).toBe(1);
    expect((await prove()).entries.map(({ outcome }) => outcome)).toEqual(["intended", "failed"]);
  });

  it("cannot reach the same machine unless the operator configured the destination", async () => {
    const { send, prove } = await start("real");
    await expect(send(dispatch("effect", "/", "webhook"))).rejects.toMatchObject({ kind: "invalid" });
    const encrypted = { ...dispatch("effect", "/", "webhook"), url: address.replace("http:", "https:") };
    await expect(send(encrypted)).rejects.toThrow("webhook: must lead to a public address");
    expect(connections).toBe(0);
    expect((await prove()).entries.map(({ outcome }) => outcome)).toEqual(["intended", "failed", "intended", "failed"]);
  });
});

describe("the outbound log", () => {
  it.each([
    "UPDATE outbound_log SET host = 'example.org'",
    "DELETE FROM outbound_log",
    "TRUNCATE outbound_log",
    "UPDATE mode_log SET mode = 'dummy'",
    "DELETE FROM mode_log",
    "TRUNCATE mode_log",
  ])("refuses %s, even from the owner of the tables", async (statement) => {
    const { send, url } = await start("dry_run");
    await send(dispatch("effect"));
    await expect(asOwner(url, statement)).rejects.toThrow(/only ever appended to/);
    await expect(asOwner(url, `SET ROLE soc_app; ${statement}`)).rejects.toThrow(/permission denied/);
  });

  it("lists the end of a dispatch after its start, even within a millisecond", async () => {
    const { db, clock, ids, prove } = await start("real");
    const store = createOutboundStore(db);
    const [of, id] = [ids.next(), "00000000-0000-7000-8000-000000000001"];
    const entry = { ...buildFacts(dispatch("effect"), "real"), at: clock.now(), status: null };
    await store.append({ ...entry, id: of, outcome: "intended", of: null });
    await store.append({ ...entry, id, outcome: "failed", of });
    expect((await prove()).entries.map(({ outcome }) => outcome)).toEqual(["intended", "failed"]);
  });

  it("keeps its entries if the surrounding transaction rolls back", async () => {
    const { send, prove, changes } = await start("dry_run");
    const caller = { kind: "user", username: "sara", role: "responder" } as const;
    await changes.runAs(caller, "change", async () => send(dispatch("effect")));
    expect((await prove()).totals).toEqual({ refused: 0, recorded: 1, sent: 0 });
  });
});

describe("GET /system/mode/proof", () => {
  it("includes the instant `from` and excludes the instant `to`", async () => {
    const { send, prove } = await start("dry_run");
    await send(dispatch("effect"));
    const [entry] = (await prove()).entries;
    const at = Date.parse(entry?.at ?? "");
    expect((await prove(at, at + 1)).entries).toEqual([entry]);
    expect((await prove(at - 1, at)).entries).toEqual([]);
    expect((await prove(at + 1, at + 2)).entries).toEqual([]);
  });

  it("shows 10,000 entries and reports that there are more", async () => {
    const { prove, send, url } = await start("dry_run");
    await send(dispatch("effect"));
    const copy = (count: number) =>
      asOwner(
        url,
        `INSERT INTO outbound_log
          SELECT gen_random_uuid(), at, mode, kind, destination, purpose, method, host, path, body_sha256, body_bytes, outcome
          FROM (SELECT * FROM outbound_log LIMIT 1) AS one, generate_series(1, ${count})`,
      );
    await copy(9999);
    expect(await prove()).toMatchObject({ is_complete: true, totals: { recorded: 10_000 } });
    await copy(1);
    const over = await prove();
    expect(over.is_complete).toBe(false);
    expect(over.entries).toHaveLength(10_000);
    expect(verifyProof(over)).toMatchObject({ isGenuine: true });
  });

  it("lists the modes in which the platform was started, beginning with the last start before the range", async () => {
    const { db, prove, ids, started } = await start("real");
    const hoursAgo = (hours: number) => new Date(started.at.getTime() - hours * HOUR);
    const starts = [
      { id: ids.next(), at: hoursAgo(30), mode: "real" },
      { id: ids.next(), at: hoursAgo(20), mode: "dry_run" },
      { id: ids.next(), at: hoursAgo(5), mode: "dummy" },
    ] as const;
    for (const each of [...starts, started]) await createOutboundWriter(db).recordStart(each);
    const proof = await prove(hoursAgo(10).getTime());
    expect(proof.starts.map(({ mode }) => mode)).toEqual(["dry_run", "dummy", "real"]);
    expect(proof.starts[2]).toEqual({ ...started, at: started.at.toISOString() });
  });

  it.each<[string, (proof: ModeProofBody) => unknown]>([
    ["a changed entry", ({ entries }) => Object.assign(entries[0] ?? {}, { host: "example.org" })],
    ["a removed entry", ({ entries }) => entries.pop()],
    ["a changed range", (proof) => Object.assign(proof, { from: "2026-01-01T00:00:00.000Z" })],
  ])("signs the proof so that %s invalidates it", async (_what, change) => {
    const { send, prove } = await start("dry_run");
    await send(dispatch("effect"));
    const proof = await prove();
    expect(verifyProof(proof)).toMatchObject({ isGenuine: true });
    change(proof);
    expect(verifyProof(proof)).toMatchObject({ isGenuine: false });
  });

  it("answers every authenticated user", async () => {
    const { ask } = await start("dummy", "none");
    expect((await ask(undefined, undefined, { "x-role": "auditor" })).statusCode).toBe(200);
  });

  it("answers 503 if the configured database is missing", async () => {
    const { ask } = await start("real", "none");
    expect((await ask()).statusCode).toBe(503);
  });

  it.each([
    ["to=2026-01-02T00:00:00Z", "from: is required"],
    ["from=2026-01-02T00:00:00Z", "to: is required"],
    ["from=yesterday&to=2026-01-02T00:00:00Z", "from: must be a text in the format date-time"],
    ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from: must be earlier than to"],
    ["from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z", "to: must be at most 31 days after from"],
  ])("refuses the query %s", async (query, detail) => {
    const { app } = await start("dummy", "none");
    const refused = await app.inject(`/api/v1/system/mode/proof?${query}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ detail });
  });
});
