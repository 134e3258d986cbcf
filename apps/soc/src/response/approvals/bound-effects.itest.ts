import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLog } from "@kit/log/silent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { edrParts } from "../../../testing/harness/edr-parts.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createPlaybookParts } from "../../../testing/harness/playbook-parts.ts";
import { createActionRegistry } from "../../foundation/actions/action-registry.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { createHttpRequestAction } from "../../foundation/outbound/http-request.ts";
import { createMemoryOutboundStore } from "../../foundation/outbound/memory-outbound.store.ts";
import { createOutboundService } from "../../foundation/outbound/outbound.service.ts";
import { createOutboundStore } from "../../foundation/outbound/outbound.store.ts";
import { createOutsideGuard } from "../../foundation/outbound/outside-guard.ts";
import { createSeal } from "../../foundation/records/seal.ts";
import { createEdrActions } from "../edr/edr.actions.ts";
import { executionsRoutes } from "../executions/executions.routes.ts";
import { createChannelsService } from "../notifications/channels.service.ts";
import { createChannelsStore, createShowcaseChannelsStore } from "../notifications/channels.store.ts";
import { createDeliveriesStore, createShowcaseDeliveriesStore } from "../notifications/deliveries.store.ts";
import { createNotificationActions } from "../notifications/notifications.actions.ts";
import { notificationsRoutes } from "../notifications/notifications.routes.ts";
import { createSealing } from "../notifications/sealing.ts";
import { createSendingService } from "../notifications/sending.service.ts";
import { createGate } from "./approval-gate.ts";
import { approvalsRoutes } from "./approvals.routes.ts";
import { createApprovalsService } from "./approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "./approvals.store.ts";

const KEY = Buffer.from("a key that both of them share");
const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const ALERT = "0197f000-0000-7000-8000-000000000001";
const LAPTOP = "019a1111-0000-7000-8000-000000000001";

let platform: TestPlatform;
/** The alert of the executions. */
let alert: Record<string, unknown>;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  platform = await testPlatform("real");
  alert = {};
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await platform.close();
});

/** Starts a server that accepts every request and records its path. */
async function startPlace() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    request.resume().on("end", () => response.writeHead(200).end('{"status":"completed"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

interface Settings {
  edrUrl: string;
  ticketingUrl: string;
}

/** Starts the platform with these configured addresses; calling it again simulates a restart. */
async function start({ edrUrl, ticketingUrl }: Settings) {
  const { db, runtime, clock, ids, changes } = platform;
  const audit = createAuditStore(ids);
  const memory = createMemoryOutboundStore({ start: { id: ids.next(), at: clock.now(), mode: "real" }, isAlone: true });
  const outbound = createOutboundService({
    runtime,
    stores: { database: createOutboundStore(db), showcase: memory },
    guard: createOutsideGuard(),
    privateDestinations: new Set(["webhook", "http:ticketing"]),
    clock,
    ids,
    log: silentLog,
  });
  const mail = { send: () => Promise.reject(new Error("unexpected mail")) };
  const sealing = createSealing(createSeal(Buffer.alloc(32, 7), ids));
  const channelsStore = createChannelsStore(db, sealing);
  const channels = createChannelsService({
    holdChange: undefined,
    runtime,
    stores: { database: channelsStore, showcase: createShowcaseChannelsStore([]) },
    deliveries: { database: createDeliveriesStore(db), showcase: createShowcaseDeliveriesStore([]) },
    outbound,
    sealing,
    audit,
    clock,
    ids,
  });
  const edr = await edrParts(platform, { url: edrUrl, key: KEY });
  const actions = createActionRegistry([
    ...createEdrActions(edr.actions),
    createHttpRequestAction([{ name: "ticketing", url: ticketingUrl, key: KEY }], outbound),
    ...createNotificationActions({
      channels: channelsStore,
      sending: createSendingService({ outbound, mail, clock }),
      clock,
    }),
  ]);
  const readAlert = async () => ({ site: null, case_id: null, ...alert });
  const { playbooks, executions, work, interpreter } = createPlaybookParts(platform, {
    actions,
    alerts: { get: readAlert },
    gate: createGate({ db, audit, ids, fourEyes: false }),
    shown: { alert: readAlert, case: async () => ({}), caseSites: async () => [], findSites: async () => [] },
    subjects: { alert: readAlert, case: async () => undefined },
  });
  const stores = { database: createApprovalsStore(db), showcase: createShowcaseApprovalsStore([]) };
  const approvals = createApprovalsService({ runtime, stores, executions, audit });
  const app = await featureApp(
    platform,
    executionsRoutes(executions, changes),
    approvalsRoutes(approvals, changes),
    notificationsRoutes(channels, changes),
  );
  const post = async (url: string, payload: object = {}) =>
    app.inject({ method: "POST", url: `/api/v1${url}`, payload });
  return {
    app,
    post,
    endpoints: edr.endpoints,
    keep: (steps: object[]) =>
      db
        .transaction()
        .execute((tx) => playbooks.put(tx, ADMIN, "respond", { value: { name: "Respond", critical: true, steps } })),
    /** Requests an approval and grants it. */
    async approve(body: object = {}): Promise<string> {
      const { approval_id } = (await post("/soar/playbooks/respond/execute", body)).json();
      expect((await post(`/approvals/${approval_id}/decide`, { approved: true })).statusCode).toBe(200);
      return approval_id;
    },
    use: (approval_id: string) =>
      app.inject({ method: "POST", url: `/api/v1/soar/playbooks/respond/execute?approval_id=${approval_id}` }),
    async drive(): Promise<void> {
      for (const handed of await work.claimDue(10)) await interpreter().run(handed);
    },
  };
}

type Soc = Awaited<ReturnType<typeof start>>;

async function expectRefused(soc: Soc, approval_id: string): Promise<void> {
  const refused = await soc.use(approval_id);
  expect(refused.statusCode).toBe(409);
  expect(refused.json().detail).toBe(
    `approval_id: '${approval_id}' was granted for another effect: the effect has changed since`,
  );
  await soc.drive();
  const { db } = platform;
  const left = [
    await db.selectFrom("executions").select("execution_id").execute(),
    await db.selectFrom("outbound_log").select("id").execute(),
    await db.selectFrom("edr_actions").select("id").execute(),
  ];
  expect(left).toEqual([[], [], []]);
}

async function expectDone(soc: Soc, approval_id: string): Promise<void> {
  expect((await soc.use(approval_id)).json()).toMatchObject({ status: "queued", requires_approval: false });
  await soc.drive();
  const found = await platform.db.selectFrom("executions").select(["status", "error"]).execute();
  expect(found).toEqual([{ status: "completed", error: null }]);
}

describe("effects of an approval", () => {
  it("refuses the approval after the channel's address changes behind the same host", async () => {
    const place = await startPlace();
    const soc = await start({ edrUrl: place.url, ticketingUrl: place.url });
    const secret = "a secret of ours";
    const settings = { url: `${place.url}/hooks/one`, secret };
    const { id } = (await soc.post("/notifications/channels", { name: "soc", kind: "webhook", settings })).json();
    const patch = (payload: object) =>
      soc.app.inject({ method: "PATCH", url: `/api/v1/notifications/channels/${id}`, payload });
    await soc.keep([{ id: "tell", action: "notify.webhook", params: { channel: "soc", text: "Look" } }]);
    const before = await soc.approve();
    const shown = (await soc.app.inject(`/api/v1/approvals/${before}`)).body;
    expect(shown).not.toContain("hooks");
    await patch({ settings: { url: `${place.url}/hooks/two` } });
    await expectRefused(soc, before);
    await patch({ settings: { url: `${place.url}/hooks/one` } });
    await expectRefused(soc, before);
    const after = await soc.approve();
    await patch({ events: ["alert.*"], settings: { url: `${place.url}/hooks/one`, secret: "another one of ours" } });
    await expectDone(soc, after);
    expect(place.seen).toEqual(["/hooks/one"]);
  });

  it("refuses the approval after the address of a channel that receives earlier results changes", async () => {
    const place = await startPlace();
    const soc = await start({ edrUrl: place.url, ticketingUrl: place.url });
    const settings = { url: `${place.url}/hooks/one`, secret: "a secret of ours" };
    const { id } = (await soc.post("/notifications/channels", { name: "soc", kind: "webhook", settings })).json();
    const text = "Ticket {steps.open.answer.status}";
    await soc.keep([
      { id: "open", action: "http.request", params: { adapter: "ticketing" } },
      { id: "tell", action: "notify.webhook", params: { channel: "soc", text } },
    ]);
    const approval_id = await soc.approve();
    const { effect } = (await soc.app.inject(`/api/v1/approvals/${approval_id}`)).json();
    expect(effect[1]).toMatchObject({
      summary: `Notifies the channel 'soc': ${text}`,
      sends: [{ destination: "webhook" }],
    });
    const payload = { settings: { url: `${place.url}/hooks/two` } };
    await soc.app.inject({ method: "PATCH", url: `/api/v1/notifications/channels/${id}`, payload });
    await expectRefused(soc, approval_id);
  });

  it("refuses the approval after the channel is deleted and recreated with the same name", async () => {
    const place = await startPlace();
    const soc = await start({ edrUrl: place.url, ticketingUrl: place.url });
    const make = async (path: string): Promise<string> => {
      const settings = { url: `${place.url}${path}`, secret: "a secret of ours" };
      return (await soc.post("/notifications/channels", { name: "soc", kind: "webhook", settings })).json().id;
    };
    const id = await make("/hooks/one");
    await soc.keep([{ id: "tell", action: "notify.webhook", params: { channel: "soc", text: "Look" } }]);
    const approval_id = await soc.approve();
    await soc.app.inject({ method: "DELETE", url: `/api/v1/notifications/channels/${id}` });
    await make("/hooks/two");
    await expectRefused(soc, approval_id);
    expect(place.seen).toEqual([]);
  });

  it("refuses the approval while an HTTP adapter has another address", async () => {
    const place = await startPlace();
    const settings = { edrUrl: place.url, ticketingUrl: `${place.url}/one` };
    const soc = await start(settings);
    await soc.keep([{ id: "open", action: "http.request", params: { adapter: "ticketing", path: "/tickets" } }]);
    const approval_id = await soc.approve();
    await expectRefused(await start({ ...settings, ticketingUrl: `${place.url}/two` }), approval_id);
    expect(place.seen).toEqual([]);
    await expectDone(await start(settings), approval_id);
    expect(place.seen).toEqual(["/one/tickets"]);
  });

  it("refuses the approval while the EDR adapter has another address", async () => {
    const [place, other] = [await startPlace(), await startPlace()];
    const settings = { edrUrl: place.url, ticketingUrl: place.url };
    const soc = await start(settings);
    await platform.db
      .transaction()
      .execute((tx) => soc.endpoints.recordHeartbeat(tx, ADMIN, LAPTOP, { hostname: "WS-1" }));
    await soc.keep([{ id: "isolate", action: "edr.isolate", params: { endpoint: "{parameters.host}" } }]);
    const approval_id = await soc.approve({ parameters: { host: "WS-1" } });
    await expectRefused(await start({ ...settings, edrUrl: other.url }), approval_id);
    await expectDone(await start(settings), approval_id);
    expect([place.seen, other.seen]).toEqual([["/actions"], []]);
  });
});

it("accepts the approval after other fields of the alert change, but not after its host changes", async () => {
  const place = await startPlace();
  const soc = await start({ edrUrl: place.url, ticketingUrl: place.url });
  for (const [at, hostname] of ["WS-1", "DC-01"].entries()) {
    const id = `019a1111-0000-7000-8000-00000000000${at}`;
    await platform.db.transaction().execute((tx) => soc.endpoints.recordHeartbeat(tx, ADMIN, id, { hostname }));
  }
  await soc.keep([{ id: "isolate", action: "edr.isolate", params: { endpoint: "{alert.host}" } }]);
  alert = { host: "WS-1", status: "new", case_id: null };
  const approval_id = await soc.approve({ alert_id: ALERT });
  alert = { ...alert, host: "DC-01" };
  await expectRefused(soc, approval_id);
  alert = { host: "WS-1", status: "investigating", case_id: "019a2222-0000-7000-8000-000000000001" };
  await expectDone(soc, approval_id);
  expect(place.seen).toEqual(["/actions"]);
});

it("describes the same effect identically, even if a step refers to its execution", async () => {
  const place = await startPlace();
  const soc = await start({ edrUrl: place.url, ticketingUrl: place.url });
  const body = { execution: "{execution.id}" };
  await soc.keep([{ id: "open", action: "http.request", params: { adapter: "ticketing", body } }]);
  await expectDone(soc, await soc.approve());
  expect(place.seen).toHaveLength(1);
});
