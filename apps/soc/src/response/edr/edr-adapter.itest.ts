import { createHmac } from "node:crypto";
import { createClock } from "@kit/clock";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { edrParts } from "../../../testing/harness/edr-parts.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { startEdrWorker } from "../../../testing/processes/edr-worker-process.ts";
import {
  ADAPTER_KEY,
  type ExampleAdapter,
  startAdapter,
  startScriptedAdapter,
} from "../../../testing/servers/edr-adapter.ts";
import type { RunContext } from "../../foundation/actions/action.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createEdrActions } from "./edr.actions.ts";
import type { EdrAdapterSettings } from "./edr-adapter.ts";

const LAPTOP = "019a1111-0000-7000-8000-000000000001";
const caller = { kind: "user", username: "amina", role: "tier3" } as const;
const MINUTE = 60_000;

const closing: (() => Promise<unknown>)[] = [];
let adapter: ExampleAdapter;

beforeAll(async () => {
  adapter = await startAdapter();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => adapter.close());

async function start(settings: EdrAdapterSettings | undefined, mode: Mode = "real") {
  const platform: TestPlatform = await testPlatform(mode);
  closing.push(() => platform.close());
  let passedMs = 0;
  const clock = { ...createClock(), now: () => new Date(platform.clock.now().getTime() + passedMs) };
  const parts = await edrParts({ ...platform, clock }, settings);
  await platform.changes.runAs(caller, "internal", (tx) =>
    parts.endpoints.recordHeartbeat(tx, caller, LAPTOP, { hostname: "FIN-LT-014" }),
  );
  const command = async (action: "isolate" | "unisolate" | "scan") =>
    (await parts.commands.run(caller, { endpoint_id: LAPTOP, action, body: {} })).result;
  const rows = () => platform.db.selectFrom("edr_actions").selectAll().orderBy("requested_at").execute();
  const pass = (ms: number) => {
    passedMs += ms;
  };
  return { ...platform, ...parts, command, rows, pass };
}

async function scripted(answer: Parameters<typeof startScriptedAdapter>[0]) {
  const started = await startScriptedAdapter(answer);
  closing.push(() => started.close());
  return started;
}

const actionsSince = (before: number) => adapter.performedActions().slice(before);

async function post(headers: Record<string, string>, body: string, path = "/actions") {
  const timestamp = headers["x-soc-timestamp"] ?? String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", ADAPTER_KEY).update(`POST\n${path}\n${timestamp}\n${body}`).digest("hex");
  const signed = { "x-soc-timestamp": timestamp, "x-soc-signature": `v1=${signature}` };
  const answered = await fetch(`${adapter.url}${path}`, { method: "POST", body, headers: { ...signed, ...headers } });
  return answered.status;
}

describe("example EDR adapter", () => {
  const body = JSON.stringify({ action: "scan", endpoint: { id: LAPTOP, hostname: "WS-1" } });

  it("accepts only requests that are signed, recent and have an idempotency key", async () => {
    const before = adapter.performedActions().length;
    const old = String(Math.floor(Date.now() / 1000) - 3600);
    expect(await post({ "idempotency-key": "a", "x-soc-signature": "v1=00" }, body)).toBe(401);
    expect(await post({ "idempotency-key": "a", "x-soc-timestamp": old }, body)).toBe(401);
    expect(await post({}, body)).toBe(400);
    expect(await post({ "idempotency-key": "a" }, "x".repeat(100_000))).toBe(413);
    expect(await post({ "idempotency-key": "a" }, body, "/elsewhere")).toBe(404);
    expect(actionsSince(before)).toEqual([]);
    expect(await post({ "idempotency-key": "a" }, body)).toBe(200);
    expect(actionsSince(before)).toEqual(["scan WS-1"]);
  });

  it("carries out one command per key for concurrent, repeated and post-crash requests", async () => {
    const before = adapter.performedActions().length;
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ "idempotency-key": "b" }, body)));
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    await adapter.kill();
    adapter.writePartialLine();
    await adapter.restart();
    expect(await post({ "idempotency-key": "b" }, body)).toBe(200);
    expect(actionsSince(before)).toEqual(["scan WS-1"]);
    expect(await post({ "idempotency-key": "b" }, body.replace("scan", "isolate"))).toBe(422);
  });
});

describe("EDR actions through the adapter", () => {
  it("completes an action through the example adapter", async () => {
    const before = adapter.performedActions().length;
    const { command } = await start(adapter.settings);
    expect(await command("isolate")).toMatchObject({ status: "completed" });
    expect(await command("unisolate")).toMatchObject({ status: "completed" });
    expect(actionsSince(before)).toEqual(["isolate FIN-LT-014", "unisolate FIN-LT-014"]);
  });

  it("retries an action with the same key after broken connections", async () => {
    const flaky = await scripted((count) => (count < 3 ? "hang up" : { status: 200, body: { status: "completed" } }));
    const { command } = await start(flaky.settings);
    expect(await command("isolate")).toMatchObject({ status: "completed" });
    expect(flaky.received).toHaveLength(3);
    expect(new Set(flaky.received.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
  });

  it("settles an action in another process when its sender is killed, and carries it out once", async () => {
    const before = adapter.performedActions().length;
    const { worker, rows, url = "", pass, endpoints } = await start(adapter.settings);
    const proxy = await startFaultProxy(adapter.port);
    closing.push(() => proxy.close());
    proxy.stall();
    const adapterUrl = `http://127.0.0.1:${proxy.port}`;
    const sender = await startEdrWorker({ databaseUrl: url, adapterUrl, keyFile: adapter.keyFile, endpointId: LAPTOP });
    await expect.poll(async () => (await rows()).length).toBe(1);
    await createClock().sleep(100);
    await sender.stop("SIGKILL");
    // The request that was in flight arrives after its sender was killed.
    proxy.heal();
    await worker.work();
    expect((await rows())[0]?.status).toBe("dispatched");
    pass(MINUTE);
    await Promise.all([worker.work(), worker.work()]);
    expect((await rows())[0]).toMatchObject({ status: "completed", next_attempt_at: null });
    expect(actionsSince(before)).toEqual(["isolate FIN-LT-014"]);
    expect((await endpoints.get(ALL_SITES, LAPTOP)).isolation).toEqual({ desired: "isolated", reported: "isolated" });
  });

  it("blocks an action with the reason after a limited number of attempts", async () => {
    const broken = await scripted(() => ({ status: 503 }));
    const { command, worker, rows, pass } = await start(broken.settings);
    expect(await command("scan")).toMatchObject({ status: "dispatched" });
    for (let minutes = 0; minutes < 300 && (await rows())[0]?.status === "dispatched"; minutes += 11) {
      pass(11 * MINUTE);
      await worker.work();
    }
    expect((await rows())[0]).toMatchObject({ status: "blocked", attempts: 12, error: "the EDR adapter answered 503" });
    expect(broken.received.length).toBeLessThanOrEqual(36);
  });

  it("retries an action in only one of several workers", async () => {
    const slow = await scripted((count) => (count > 3 ? { status: 202 } : { status: 503 }));
    const { command, worker, pass } = await start(slow.settings);
    await command("scan");
    expect(slow.received).toHaveLength(3);
    pass(MINUTE);
    await Promise.all([worker.work(), worker.work(), worker.work()]);
    expect(slow.received).toHaveLength(4);
  });

  it("does not retry an action that a later one replaced", async () => {
    let isBroken = true;
    const late = await scripted(() => (isBroken ? { status: 503 } : { status: 200, body: { status: "completed" } }));
    const { command, worker, rows, pass } = await start(late.settings);
    expect(await command("isolate")).toMatchObject({ status: "dispatched" });
    isBroken = false;
    expect(await command("unisolate")).toMatchObject({ status: "completed" });
    pass(MINUTE);
    await worker.work();
    expect(await rows()).toMatchObject([
      { action: "isolate", status: "blocked", error: "replaced by a later action" },
      { action: "unisolate", status: "completed" },
    ]);
    expect(JSON.parse(late.received.at(-1)?.body ?? "{}")).toMatchObject({ action: "unisolate" });
  });
});

describe("EDR circuit breaker", () => {
  it("opens after five consecutive failures, allows one probe, and closes when the probe succeeds", async () => {
    let isBroken = true;
    const broken = await scripted(() => (isBroken ? "hang up" : { status: 200, body: { status: "completed" } }));
    const { command, endpoints, pass, worker, rows } = await start(broken.settings);
    const state = async () => (await endpoints.stats(ALL_SITES)).adapter.state;
    await command("scan");
    expect(await state()).toBe("closed");
    await command("scan");
    expect(broken.received).toHaveLength(5);
    expect(await state()).toBe("open");
    expect(await command("scan")).toMatchObject({ status: "dispatched" });
    expect(broken.received).toHaveLength(5);
    pass(31_000);
    expect(await state()).toBe("half_open");
    await Promise.all([command("scan"), command("scan"), command("scan")]);
    expect(broken.received).toHaveLength(6);
    expect(await state()).toBe("open");
    isBroken = false;
    pass(31_000);
    expect(await command("scan")).toMatchObject({ status: "completed" });
    expect(await state()).toBe("closed");
    pass(MINUTE);
    await worker.work();
    expect((await rows()).every(({ status }) => status === "completed")).toBe(true);
    expect(new Set(broken.received.map(({ key }) => key)).size).toBe(7);
  });
});

describe("EDR steps of a playbook", () => {
  const context = (key: string): RunContext => ({
    execution_id: "019a3333-0000-7000-8000-000000000001",
    playbook_id: "ransomware-host",
    step_id: "contain",
    scope: ALL_SITES,
    actor: "amina",
    alert_id: null,
    case_id: null,
    idempotencyKey: key,
    signal: new AbortController().signal,
  });

  it("describes in advance what a step sends and runs it once per key", async () => {
    const scriptedAdapter = await scripted(() => ({ status: 200, body: { status: "completed" } }));
    const { actions, rows } = await start(scriptedAdapter.settings);
    const [isolate] = createEdrActions(actions);
    if (!isolate) throw new Error("no action");
    const params = { endpoint: "fin-lt-014", release_after_minutes: 60 };
    const effect = await isolate.describe(params, context("x"));
    expect(effect.summary).toBe("Isolates FIN-LT-014 from the network for 60 minutes");
    expect(scriptedAdapter.connections()).toBe(0);
    const key = "019a3333:contain:0";
    const results = await Promise.all([isolate.run(params, context(key)), isolate.run(params, context(key))]);
    results.push(await isolate.run(params, context(key)));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]).toMatchObject({ status: "completed", simulated: false });
    expect(await rows()).toMatchObject([{ key, requested_by: "amina", reason: "playbook ransomware-host" }]);
    expect(new Set(scriptedAdapter.received.map((each) => each.key))).toEqual(new Set([key]));
    expect(effect.sends[0]?.body).toEqual(JSON.parse(scriptedAdapter.received[0]?.body ?? ""));
  });

  it("fails a step when the adapter refuses or the endpoint does not exist", async () => {
    const refusing = await scripted(() => ({ status: 403 }));
    const { actions } = await start(refusing.settings);
    const [, , scan] = createEdrActions(actions);
    await expect(scan?.run({ endpoint: LAPTOP }, context("y"))).rejects.toThrow("the EDR adapter answered 403");
    await expect(scan?.run({ endpoint: "WS-99" }, context("z"))).rejects.toThrow("endpoint 'WS-99' does not exist");
  });

  it("simulates a step in dry_run without sending a packet or changing the desired state", async () => {
    const scriptedAdapter = await scripted(() => ({ status: 200 }));
    const { actions, endpoints, rows, db } = await start(scriptedAdapter.settings, "dry_run");
    const [isolate] = createEdrActions(actions);
    const result = await isolate?.run({ endpoint: "FIN-LT-014" }, context("k"));
    expect(result).toMatchObject({ status: "recorded", simulated: true });
    expect(await isolate?.run({ endpoint: "FIN-LT-014" }, context("k"))).toEqual(result);
    expect(scriptedAdapter.connections()).toBe(0);
    expect(await rows()).toHaveLength(1);
    expect((await endpoints.get(ALL_SITES, LAPTOP)).isolation.desired).toBe("normal");
    const outcomes = await db.selectFrom("outbound_log").select(["destination", "outcome"]).execute();
    expect(outcomes).toEqual([{ destination: "edr", outcome: "recorded" }]);
  });
});
