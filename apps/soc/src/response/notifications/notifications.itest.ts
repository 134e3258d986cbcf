import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { createResolver } from "@kit/guard/resolver";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { outboxStream } from "../../../testing/servers/nats-streams.ts";
import { type SmtpServer, startSmtpServer } from "../../../testing/servers/smtp-server.ts";
import { buildShowcaseNotifications } from "../../demo/notifications.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import { createMailService } from "../../foundation/outbound/mail.service.ts";
import { createMemoryOutboundStore } from "../../foundation/outbound/memory-outbound.store.ts";
import { createOutboundService } from "../../foundation/outbound/outbound.service.ts";
import { createOutboundStore } from "../../foundation/outbound/outbound.store.ts";
import { createOutsideGuard } from "../../foundation/outbound/outside-guard.ts";
import { createSeal } from "../../foundation/records/seal.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { buildChannel } from "./channel.ts";
import { createChannelsService } from "./channels.service.ts";
import { createChannelsStore, createChannelsWriter, createShowcaseChannelsStore } from "./channels.store.ts";
import { createDeliveriesService } from "./deliveries.service.ts";
import { createDeliveriesStore, createShowcaseDeliveriesStore } from "./deliveries.store.ts";
import { createNotificationActions } from "./notifications.actions.ts";
import { notificationsRoutes } from "./notifications.routes.ts";
import { createNotificationsWorker } from "./notifications.worker.ts";
import { createSealing } from "./sealing.ts";
import { createSendingService } from "./sending.service.ts";

const SECRET = "a secret of ours";
const KEY = Buffer.alloc(32, 7);
const USER = { role: "manager", disabled: false, token_version: 1, created_at: new Date(0), updated_at: new Date(0) };

interface ReceivedRequest {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close();
});

/** Starts a receiver that answers with the given status codes and repeats the last one. */
async function startReceiver(...statuses: number[]) {
  const received: ReceivedRequest[] = [];
  const server: Server = createServer((request, response) => {
    const { url, headers } = request;
    void text(request).then((body) => {
      received.push({ url, headers, body });
      response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end("ok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push({ close: () => new Promise((resolve) => server.close(resolve)) });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { received, url: `http://127.0.0.1:${port}/hooks/T0/a-long-key-in-the-path-itself` };
}

interface Options {
  database?: "fresh" | "none";
  smtp?: SmtpServer;
}

async function start(mode: Mode = "real", { database = "fresh", smtp }: Options = {}) {
  const platform: TestPlatform = await testPlatform(mode, database);
  closing.push(platform);
  const { db, runtime, ids, changes, clock } = platform;
  const audit = createAuditStore(ids);
  const memory = createMemoryOutboundStore({ start: { id: ids.next(), at: clock.now(), mode }, isAlone: true });
  const records = { database: createOutboundStore(db), showcase: memory };
  const shared = { runtime, stores: records, clock, ids, log: silentLog };
  const privateDestinations = new Set(["webhook", "chat"]);
  const outbound = createOutboundService({ ...shared, guard: createOutsideGuard(), privateDestinations });
  const server = smtp && ({ host: "127.0.0.1", port: smtp.port, security: "none" } as const);
  const mail = createMailService({
    ...shared,
    resolve: createResolver(),
    mailbox: server && { server, from: "soc@manara.example" },
  });
  const sending = createSendingService({ outbound, mail, clock });
  const sealing = createSealing(createSeal(KEY, ids));
  const store = createChannelsStore(db, sealing);
  const showcase = buildShowcaseNotifications(clock.now());
  const channels = createChannelsService({
    holdChange: undefined,
    runtime,
    stores: { database: store, showcase: createShowcaseChannelsStore(showcase.channels) },
    deliveries: { database: createDeliveriesStore(db), showcase: createShowcaseDeliveriesStore(showcase.deliveries) },
    outbound,
    sealing,
    audit,
    clock,
    ids,
  });
  const users = {
    list: async () => ({
      items: [
        { ...USER, username: "hassan.ali", email: "hassan.ali@manara.example" } as const,
        { ...USER, username: "gone", email: "gone@manara.example", disabled: true } as const,
        { ...USER, username: "sara", role: "tier1", email: "sara@manara.example" } as const,
        { ...USER, username: "admin", role: "admin", email: null } as const,
        { ...USER, username: "odd", email: '"a b"@manara.example' } as const,
      ],
      total: 5,
      skip: 0,
      limit: 200,
      next_cursor: null,
    }),
  };
  const deliveries = createDeliveriesService({
    db,
    channels: store,
    sending,
    users: users as never,
    ids,
    log: silentLog,
  });
  const app = await featureApp(platform, notificationsRoutes(channels, changes));
  const call = (method: "POST" | "PATCH" | "DELETE", url: string, payload?: object, headers = {}) =>
    app.inject({ method, url: `/api/v1/notifications/${url}`, headers, ...(payload && { payload }) });
  return {
    ...platform,
    app,
    audit,
    sending,
    store,
    deliveries,
    call,
    create: async (payload: object) => (await call("POST", "channels", payload)).json(),
    listed: async (query = "") => (await app.inject(`/api/v1/notifications/deliveries${query}`)).json().items,
    actions: createNotificationActions({ channels: store, sending, clock }),
    /** Makes all deliveries due now. */
    makeDue: () => sql`UPDATE notification_deliveries SET next_attempt_at = now()`.execute(db),
    sentOut: async () =>
      (await db.selectFrom("outbound_log").select(["outcome", "destination", "path"]).orderBy("at").execute()).map(
        ({ outcome }) => outcome,
      ),
  };
}

const webhook = (url: string, more: object = {}) => ({
  name: "Hook",
  kind: "webhook",
  settings: { url, secret: SECRET },
  events: ["approval.requested"],
  ...more,
});

function event(id: string, type = "approval.requested"): StreamEvent {
  const data = { action: "Isolate WS-0142", requested_by: "sara", expires_at: "2026-11-15T13:00:00.000Z" };
  return { id, at: "2026-11-15T09:00:00.000Z", type, subject_id: "7", data };
}

describe("notification channels", () => {
  it("creates, changes and deletes channels and never returns their address or secret", async () => {
    const { app, call, create, db } = await start();
    const url = "https://hooks.example.org/services/T0/B0/a-key-of-24-characters-00";
    const made = await create(webhook(url, { enabled: false }));
    expect(made).toMatchObject({
      name: "Hook",
      kind: "webhook",
      settings: { host: "hooks.example.org", has_secret: true },
      events: ["approval.requested"],
      enabled: false,
      created_by: "admin",
    });
    const changed = await call("PATCH", `channels/${made.id}`, { enabled: true, events: ["alert.*", "alert.*"] });
    expect(changed.json()).toMatchObject({ enabled: true, events: ["alert.*"], settings: { has_secret: true } });
    const kept = await db.selectFrom("notification_channels").select("settings").executeTakeFirstOrThrow();
    expect(kept.settings).toEqual({ sealed: expect.stringMatching(/^v1\./) });
    const shown = await Promise.all([
      app.inject("/api/v1/notifications/channels"),
      app.inject(`/api/v1/notifications/channels/${made.id}`),
    ]);
    const audited = await db.selectFrom("audit_log").selectAll().execute();
    for (const said of [...shown.map(({ body }) => body), JSON.stringify(audited)]) {
      expect(said).toContain("Hook");
      expect(said).not.toContain("a-key-of");
      expect(said).not.toContain(SECRET);
    }
    expect((await call("DELETE", `channels/${made.id}`)).json()).toEqual({ deleted: true, id: made.id });
    expect((await call("DELETE", `channels/${made.id}`)).statusCode).toBe(404);
    expect(audited.map(({ action }) => action)).toEqual(["channel.created", "channel.updated"]);
  });

  it("refuses an invalid channel and names the field", async () => {
    const { call, create } = await start();
    const url = "https://hooks.example.org/x";
    const refusals: [object, RegExp][] = [
      [{ kind: "webhook", settings: { url, secret: SECRET } }, /^name: is required$/],
      [webhook(url, { kind: "pigeon" }), /^kind: must be one of webhook, email, chat$/],
      [webhook("ftp://hooks.example.org"), /^settings.url: must start with https/],
      [webhook("https://a:b@hooks.example.org"), /^settings.url: must not contain credentials$/],
      [webhook(url, { settings: { url } }), /^settings.secret: is required for webhook$/],
      [webhook(url, { settings: { url, secret: "short" } }), /^settings.secret: /],
      [webhook(url, { kind: "chat" }), /^settings.secret: is not used by chat$/],
      [webhook(url, { kind: "email", settings: {} }), /^settings.to: is required for email$/],
      [webhook(url, { kind: "email", settings: { to: ["a\r\nb@c.example"] } }), /^settings.to.0: /],
      [webhook(url, { kind: "email", settings: { to: ["no-address"] } }), /^settings.to.0: /],
      [webhook(url, { kind: "email", settings: { to: ['"a b"@c.example'] } }), /^settings.to.0: /],
      [webhook(url, { events: ["user.created"] }), /^events.0: /],
      [webhook(url, { events: ["*"] }), /^events.0: /],
      [webhook(url, { name: "a\u0000" }), /^name: /],
    ];
    for (const [payload, why] of refusals) {
      const refused = await call("POST", "channels", payload);
      expect(refused.json().detail).toMatch(why);
      expect(refused.statusCode).toBe(400);
      expect(refused.body).not.toContain("a:b@");
    }
    const { id } = await create(webhook(url));
    expect((await call("POST", "channels", webhook(url))).json()).toEqual({
      detail: "name: channel 'Hook' already exists",
    });
    const { id: other } = await create(webhook(url, { name: "Other" }));
    expect((await call("PATCH", `channels/${other}`, { name: "Hook" })).statusCode).toBe(409);
    expect((await call("PATCH", `channels/${id}`, {})).statusCode).toBe(400);
    expect((await call("PATCH", `channels/${id}`, { settings: { to: ["a@b.example"] } })).statusCode).toBe(400);
    expect((await call("PATCH", `channels/${id}`, { enabled: false }, { "if-match": '"old"' })).statusCode).toBe(409);
    expect((await call("POST", "channels/nope/test")).statusCode).toBe(404);
    expect((await call("POST", "channels", webhook(url), { "x-role": "tier3" })).statusCode).toBe(403);
  });
});

describe("webhook notifications", () => {
  it("delivers the event signed and with an idempotency key", async () => {
    const { received, url } = await startReceiver(500, 204);
    const { create, deliveries, makeDue, listed } = await start();
    const { id: channel_id } = await create(webhook(url));
    expect(await deliveries.queue([event("1-1")])).toBe(1);
    expect(await deliveries.queue([event("1-1"), event("1-2", "approval.decided")])).toBe(0);
    await deliveries.deliverDue();
    expect(await listed()).toMatchObject([
      {
        channel_id,
        status: "queued",
        attempts: 1,
        last_error: "webhook: the receiver answered 500",
        finished_at: null,
      },
    ]);
    expect(await deliveries.deliverDue()).toEqual({ count: 0, isFull: false });
    await makeDue();
    await deliveries.deliverDue();
    const [{ id }] = await listed();
    expect(await listed("?status=sent")).toMatchObject([{ status: "sent", attempts: 2, last_error: null }]);
    expect(received.map(({ headers }) => headers["idempotency-key"])).toEqual([id, id]);
    const [, last] = received;
    expect(JSON.parse(last?.body ?? "")).toEqual({
      id,
      type: "approval.requested",
      subject_id: "7",
      at: "2026-11-15T09:00:00.000Z",
      text: "Approval needed: Isolate WS-0142 (7; requested by sara, expires 2026-11-15T13:00:00.000Z)",
      data: event("").data,
    });
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(last?.headers["x-manara-signature"])) ?? [];
    expect(signature).toBe(createHmac("sha256", SECRET).update(`${seconds}.${last?.body}`).digest("hex"));
  });

  it("abandons a webhook that always fails after eight attempts", async () => {
    const { received, url } = await startReceiver(503);
    const { create, deliveries, makeDue, listed } = await start();
    await create(webhook(url));
    await deliveries.queue([event("1-1")]);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await deliveries.deliverDue();
      await makeDue();
    }
    expect(received).toHaveLength(8);
    expect(await listed()).toMatchObject([
      { status: "dead", attempts: 8, last_error: "webhook: the receiver answered 503" },
    ]);
  });

  it("abandons a webhook with a forbidden address at once without revealing the address", async () => {
    const { db, ids, clock, deliveries, listed, sentOut } = await start();
    // Stored without the check, like a name whose address changed after the check.
    const { name, events } = webhook("");
    const settings = { url: "http://169.254.169.254/latest/a-key-of-24-characters-00", secret: SECRET };
    const channel = buildChannel({ name, kind: "webhook", settings, events }, ids.next(), "admin", clock.now());
    await createChannelsWriter(db, createSealing(createSeal(KEY, ids))).insert(channel);
    await deliveries.queue([event("1-1")]);
    await deliveries.deliverDue();
    const [delivery] = await listed();
    expect(delivery).toMatchObject({
      status: "dead",
      attempts: 1,
      last_error: expect.stringMatching(/^webhook: must lead to/),
    });
    expect(JSON.stringify(delivery)).not.toContain("a-key-of");
    expect(await sentOut()).toEqual(["intended", "failed"]);
  });

  it("sends nothing to a disabled webhook, but still tests it", async () => {
    const { received, url } = await startReceiver();
    const { create, deliveries, call, listed } = await start();
    const { id } = await create(webhook(url));
    await deliveries.queue([event("1-1")]);
    await call("PATCH", `channels/${id}`, { enabled: false });
    expect(await deliveries.queue([event("1-2")])).toBe(0);
    await deliveries.deliverDue();
    expect(await listed("?status=dead")).toMatchObject([{ last_error: "the channel is disabled" }]);
    const tested = await call("POST", `channels/${id}/test`);
    expect(tested.statusCode).toBe(201);
    expect(tested.json()).toMatchObject({ status: "queued", type: "channel.tested" });
    await deliveries.deliverDue();
    expect(received.map(({ body }) => JSON.parse(body).text)).toEqual([
      "This is a test of the channel 'Hook', sent by admin.",
    ]);
    expect(await listed(`?channel_id=${id}`)).toHaveLength(2);
    expect(await listed("?channel_id=nope")).toEqual([]);
  });
});

it("sends a chat room only the text, with foreign markup escaped", async () => {
  const { received, url } = await startReceiver();
  const { create, deliveries } = await start();
  await create({ name: "Room", kind: "chat", settings: { url }, events: ["alert.*"] });
  await deliveries.queue([{ ...event("1-1", "alert.created"), data: { title: "<!channel> look" } }]);
  await deliveries.deliverDue();
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([{ text: "alert.created: &lt;!channel&gt; look (7)" }]);
  expect(received[0]?.headers["x-manara-signature"]).toBeUndefined();
});

describe("mail notifications", () => {
  const MAIL = { name: "Mail", kind: "email", settings: { to: ["shift@manara.example"] }, events: ["approval.*"] };

  it("mails the channel's recipients, and an escalation also to all users who may decide", async () => {
    const smtp = await startSmtpServer();
    closing.push(smtp);
    const { create, deliveries, listed, db } = await start("real", { smtp });
    await create(MAIL);
    await deliveries.queue([event("1-1")]);
    await deliveries.deliverDue();
    await deliveries.queue([event("1-2", "approval.escalated")]);
    await deliveries.deliverDue();
    expect(smtp.mails.map(({ from, to }) => [from, to])).toEqual([
      ["soc@manara.example", ["shift@manara.example"]],
      ["soc@manara.example", ["shift@manara.example", "hassan.ali@manara.example"]],
    ]);
    const [{ id }] = await listed("?limit=1");
    expect(smtp.mails[1]?.message).toContain(`Message-ID: <${id}@manara.example>`);
    const body = smtp.mails[1]?.message.split("\r\n\r\n")[1] ?? "";
    expect(Buffer.from(body, "base64").toString()).toMatch(/^No reviewer has decided yet.*Isolate WS-0142/);
    const records = await db.selectFrom("outbound_log").selectAll().orderBy("at").execute();
    expect(records.map(({ outcome, status, path }) => [outcome, status, path])).toEqual([
      ["intended", null, "manara.example"],
      ["answered", 250, "manara.example"],
      ["intended", null, "manara.example"],
      ["answered", 250, "manara.example"],
    ]);
    expect(JSON.stringify(records)).not.toMatch(/shift|hassan|WS-0142/);
  });

  it("abandons a mail after a permanent refusal and retries after a temporary one", async () => {
    const refusing = await startSmtpServer({ answers: { RCPT: "550 unknown" } });
    const busy = await startSmtpServer({ answers: { RCPT: "450 busy" } });
    closing.push(refusing, busy);
    for (const [smtp, status] of [
      [refusing, "dead"],
      [busy, "queued"],
    ] as const) {
      const { create, deliveries, listed } = await start("real", { smtp });
      await create(MAIL);
      await deliveries.queue([event("1-1")]);
      await deliveries.deliverDue();
      expect(await listed()).toMatchObject([{ status }]);
    }
  });

  it("keeps a mail queued with the reason while no server is configured", async () => {
    const { create, deliveries, listed } = await start();
    await create(MAIL);
    await deliveries.queue([event("1-1")]);
    await deliveries.deliverDue();
    expect(await listed()).toMatchObject([{ status: "queued", last_error: "mail: no mail server is configured" }]);
  });
});

describe("notifications by mode", () => {
  it("records notifications in dry_run without sending them", async () => {
    const smtp = await startSmtpServer();
    closing.push(smtp);
    const { received, url } = await startReceiver();
    const { call, create, deliveries, db, listed, store, sentOut, actions } = await start("dry_run", { smtp });
    expect(await create(webhook(url))).toMatchObject({ dry_run: true, preview: { name: "Hook" } });
    expect((await store.enabled()).length).toBe(0);
    const made = { enabled: true, created_by: "admin", created_at: new Date(0), updated_at: new Date(0) };
    const rows = [
      { ...made, id: "0197f000-0000-7000-8000-0000000000c1", ...webhook(url) },
      {
        ...made,
        id: "0197f000-0000-7000-8000-0000000000c2",
        name: "Room",
        kind: "chat",
        settings: { url },
        events: ["approval.*"],
      },
      {
        ...made,
        id: "0197f000-0000-7000-8000-0000000000c3",
        name: "Mail",
        kind: "email",
        settings: { to: ["a@b.example"] },
        events: ["approval.*"],
      },
    ];
    await db
      .insertInto("notification_channels")
      .values(rows as never)
      .execute();
    const tested = await call("POST", "channels/0197f000-0000-7000-8000-0000000000c1/test");
    expect(tested.json()).toMatchObject({ dry_run: true, preview: { status: "queued" } });
    expect(await deliveries.queue([event("1-1")])).toBe(3);
    await deliveries.deliverDue();
    expect((await listed()).map(({ status }: { status: string }) => status)).toEqual([
      "recorded",
      "recorded",
      "recorded",
    ]);
    const [action] = actions;
    if (action?.kind !== "outside") throw new Error("no action");
    expect(await action.run({ channel: "Hook", text: "hello" }, CONTEXT)).toEqual({
      status: "recorded",
      channel: "Hook",
    });
    expect([received.length, smtp.connections()]).toEqual([0, 0]);
    expect(await sentOut()).toEqual(["recorded", "recorded", "recorded", "recorded"]);
  });

  it("blocks notifications in dummy mode and serves the showcase", async () => {
    const smtp = await startSmtpServer();
    closing.push(smtp);
    const { received, url } = await startReceiver();
    const { app, call, sending } = await start("dummy", { database: "none", smtp });
    expect((await app.inject("/api/v1/notifications/channels")).json().items).toHaveLength(2);
    expect((await app.inject("/api/v1/notifications/deliveries?status=sent")).json().items).toHaveLength(2);
    expect((await call("POST", "channels", webhook(url))).json()).toEqual({
      detail: "Runtime mode 'dummy' blocks this change",
    });
    const [room, mailing] = buildShowcaseNotifications(new Date(0)).channels;
    if (!room || !mailing) throw new Error("no channels");
    const message = { type: "x", subject_id: "1", at: "", text: "hello", data: {} };
    await expect(sending.send({ ...room, settings: { url } }, "1", message)).rejects.toThrow("blocks this change");
    await expect(sending.send(mailing, "1", message)).rejects.toThrow("blocks this change");
    expect([received.length, smtp.connections()]).toEqual([0, 0]);
  });

  it.each(["dry_run", "real"] as const)("answers 503 in %s mode without a database", async (mode) => {
    const { app } = await start(mode, { database: "none" });
    expect((await app.inject("/api/v1/notifications/channels")).statusCode).toBe(503);
  });
});

const CONTEXT = {
  execution_id: "0197f000-0000-7000-8000-0000000000e1",
  playbook_id: "phishing",
  step_id: "tell",
  scope: ALL_SITES,
  actor: "tier3",
  alert_id: null,
  case_id: null,
  idempotencyKey: "0197f000-0000-7000-8000-0000000000e1:tell:0",
  signal: new AbortController().signal,
};

describe("action notify.webhook", () => {
  it("describes the exact message without the address and then sends it", async () => {
    const { received, url } = await startReceiver(200, 500);
    const { create, actions } = await start();
    await create(webhook(url));
    const [action] = actions;
    if (action?.kind !== "outside") throw new Error("no action");
    const params = { channel: "Hook", text: "FIN-LT-014 is isolated" };
    const effect = await action.describe(params, CONTEXT);
    expect(effect.summary).toBe("Notifies the channel 'Hook': FIN-LT-014 is isolated");
    expect(effect.sends).toMatchObject([
      {
        destination: "webhook",
        method: "POST",
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/… \(since 20\S+Z\)$/),
      },
    ]);
    expect(JSON.stringify(effect)).not.toContain(SECRET);
    // The effect, and so the approval, is the same for another execution.
    expect(await action.describe(params, { ...CONTEXT, execution_id: "0197f000-0000-7000-8000-0000000000e2" })).toEqual(
      effect,
    );
    expect(await action.run(params, CONTEXT)).toEqual({ status: "sent", channel: "Hook" });
    expect(received[0]?.headers["idempotency-key"]).toBe(CONTEXT.idempotencyKey);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ text: params.text, type: "playbook.notified" });
    await expect(action.run(params, CONTEXT)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(action.run({ ...params, channel: "None" }, CONTEXT)).rejects.toThrow("channel 'None' does not exist");
  });
});

it("sends to a mail channel with the step's key", async () => {
  const smtp = await startSmtpServer();
  closing.push(smtp);
  const { create, actions } = await start("real", { smtp });
  const { id } = await create({ name: "Mail", kind: "email", settings: { to: ["shift@manara.example"] } });
  const [action] = actions;
  if (action?.kind !== "outside") throw new Error("no action");
  expect(await action.run({ channel: id, text: "line one\n.\nline three" }, CONTEXT)).toMatchObject({ status: "sent" });
  const [head = "", body = ""] = smtp.mails[0]?.message.split("\r\n\r\n") ?? [];
  expect(head).toContain("Message-ID: <0197f000-0000-7000-8000-0000000000e1.tell.0@manara.example>");
  expect(Buffer.from(body, "base64").toString()).toBe("line one\r\n.\r\nline three");
});

describe("notifications worker", () => {
  it("notifies each channel once of new events, with two workers, and never of earlier events", async () => {
    const { received, url } = await startReceiver();
    const platform = await start();
    const { create, deliveries, clock, audit, db, store } = platform;
    await create(webhook(url));
    const record = (subject_id: string) =>
      audit.record(db, { actor: "x", action: "approval.requested", subject_type: "approval", subject_id, details: {} });
    await record("before");
    const streams: EventStream[] = [outboxStream(platform), outboxStream(platform)];
    closing.push(...streams);
    const workers = streams.map((events) =>
      createNotificationsWorker({ events, deliveries, isAllowed: async () => true, clock, log: silentLog }),
    );
    for (const worker of workers) worker.start();
    // A new consumer starts after its stored position.
    const countCursors = async () => {
      const { rows } = await sql`SELECT FROM stream_cursors WHERE consumer = 'notifications'`.execute(db);
      return rows.length;
    };
    await expect.poll(countCursors, { timeout: 10_000 }).toBe(1);
    for (let number = 0; number < 10; number += 1) await record(`new ${number}`);
    await expect.poll(() => received.length, { timeout: 15_000 }).toBe(10);
    await clock.sleep(1200);
    for (const worker of workers) await worker.close();
    const subjects = received.map(({ body }) => String(JSON.parse(body).subject_id));
    expect(subjects.toSorted((a, b) => a.localeCompare(b))).toEqual(
      Array.from({ length: 10 }, (_, number) => `new ${number}`),
    );
    expect(await store.enabled()).toHaveLength(1);
  });

  it("retries a message whose sender died after the lease and deletes old deliveries", async () => {
    const { received, url } = await startReceiver();
    const { create, deliveries, db, listed, makeDue } = await start();
    await create(webhook(url));
    await deliveries.queue([event("1-1")]);
    await sql`UPDATE notification_deliveries SET attempts = 1, next_attempt_at = now() + interval '1 minute'`.execute(
      db,
    );
    expect((await deliveries.deliverDue()).count).toBe(0);
    await makeDue();
    await deliveries.deliverDue();
    expect(received).toHaveLength(1);
    expect(await deliveries.forget()).toBe(0);
    await sql`UPDATE notification_deliveries SET finished_at = now() - interval '31 days'`.execute(db);
    expect(await deliveries.forget()).toBe(1);
    expect(await listed()).toEqual([]);
  });
});
