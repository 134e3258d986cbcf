import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { featureApp, testPlatform } from "../../../testing/harness/feature-app.ts";
import { outboxStream } from "../../../testing/servers/nats-streams.ts";
import type { RunContext } from "../../foundation/actions/action.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { createOutbound } from "../../foundation/outbound/outbound.feature.ts";
import { parsePrivateTargets } from "../../foundation/outbound/private-targets.ts";
import { createSeal } from "../../foundation/records/seal.ts";
import { createNotifications } from "./notifications.feature.ts";
import { createSealing } from "./sealing.ts";

const CONTEXT: RunContext = {
  execution_id: "0197f000-0000-7000-8000-0000000000e1",
  playbook_id: "p",
  step_id: "tell",
  scope: ALL_SITES,
  actor: "amina",
  alert_id: null,
  case_id: null,
  idempotencyKey: "0197f000-0000-7000-8000-0000000000e1:tell:1",
  signal: new AbortController().signal,
};

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts the notifications of a platform with this SOC_NOTIFY_PRIVATE. */
async function start(allowed: string | undefined) {
  const platform = await testPlatform("real");
  closing.push(() => platform.close());
  const { ids, clock } = platform;
  const {
    services: { outbound, mail },
  } = createOutbound(platform, {
    start: { id: ids.next(), at: clock.now(), mode: "real" },
    hasDatabase: true,
    httpAdapters: [],
    configured: [],
    mailbox: undefined,
    notifyPrivate: allowed === undefined ? undefined : parsePrivateTargets("SOC_NOTIFY_PRIVATE", allowed),
  });
  const notifications = createNotifications(platform, {
    holdChange: undefined,
    outbound,
    mail,
    outbox: outboxStream(platform),
    users: { list: () => Promise.reject(new Error("unexpected reading of users")) } as never,
    sealing: createSealing(createSeal(Buffer.alloc(32, 7), ids)),
  });
  const app = await featureApp(platform, ...notifications.registrations.routes);
  const [notify] = notifications.registrations.actions;
  if (notify?.kind !== "outside") throw new Error("notify.webhook is missing");
  return {
    notify,
    create: (name: string, url: string) =>
      app.inject({
        method: "POST",
        url: "/api/v1/notifications/channels",
        payload: { name, kind: "chat", settings: { url }, events: [] },
      }),
    change: (id: string, url: string) =>
      app.inject({ method: "PATCH", url: `/api/v1/notifications/channels/${id}`, payload: { settings: { url } } }),
  };
}

const PRIVATE = ["https://10.21.0.1/x", "http://10.21.0.1/x", "https://192.168.1.2/x", "https://169.254.169.254/x"];
const HIDDEN = ["https://[::1]/x", "https://localhost/x", "http://93.184.215.14/x"];

it.each([undefined, "10.20.0.0/16, mattermost.internal"])(
  "refuses a private address at creation with %s",
  async (allowed) => {
    const { create } = await start(allowed);
    for (const url of [...PRIVATE, ...HIDDEN]) {
      const refused = await create("Hook", url);
      expect([url, refused.statusCode]).toEqual([url, 400]);
      expect(refused.json().detail).toMatch(/^settings\.url: must (lead to|start with https:)/);
    }
  },
);

it("accepts an address, network or host that the operator allows and refuses a change to another one", async () => {
  const { create, change } = await start("10.20.0.0/16, mattermost.internal");
  const made = await create("One", "https://10.20.3.4/x");
  expect(made.statusCode).toBe(201);
  expect((await create("Two", "http://10.20.3.4/x")).statusCode).toBe(201);
  expect((await create("Three", "http://mattermost.internal/x")).statusCode).toBe(201);
  const refused = await change(made.json().id, "https://10.21.0.1/x");
  expect([refused.statusCode, refused.json().detail]).toEqual([
    400,
    expect.stringMatching(/^settings\.url: must lead/),
  ]);
  expect((await change(made.json().id, "https://10.20.3.5/x")).statusCode).toBe(200);
});

it("delivers a message to an allowed private address", async () => {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on("end", () => response.writeHead(200).end("ok"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const { create, notify } = await start("127.0.0.0/8");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  expect((await create("Ours", url)).statusCode).toBe(201);
  expect(await notify.run({ channel: "Ours", text: "hello" }, CONTEXT)).toMatchObject({ status: "sent" });
  expect(received).toBe(1);
});
