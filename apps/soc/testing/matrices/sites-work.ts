import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { vi } from "vitest";
import { parsePrivateTargets } from "../../src/foundation/outbound/private-targets.ts";
import { contractPlatform } from "../contract/contract-platform.ts";
import { chatAs } from "../harness/chat-client.ts";
import { ADMIN_PASSWORD, NO_RESPONSE_SETTINGS, wholeWorker } from "../harness/whole-platform.ts";

type Headers = Record<string, string>;

/** The values that both sites have. */
const SHARED = { host: "dc01", user: "svc-backup", address: "192.0.2.77", hash: "9f86d081884c7d65" } as const;
const CANARIES = { Alpha: "qalphawork", Beta: "qbetawork" } as const;
/** Different numbers of logs, because a total is also a secret. */
const LOGS = { Alpha: 1, Beta: 3 } as const;
const SCOPES = ["alerts:write", "alerts:read", "cases:read", "siem:read", "edr:read", "cps:read"];
/** Marks the list of logs that the caller reports. */
const OF_REPORT = "0197f000-0000-7000-8000-00000000de99";
const SECRET = "0123456789abcdef";
const WAIT = { timeout: 40_000, interval: 200 };

/** Every kind of step that searches, names an endpoint, or writes what it found where people read it. */
const GATHER = `id: gather
name: Gather
description: Writes what the logs say
steps:
  - { id: host, name: Host, action: siem.search, params: { match: { host: "{alert.host}" } } }
  - { id: user, name: User, action: siem.search, params: { match: { user: "{alert.user}" } } }
  - { id: address, name: Address, action: siem.search, params: { match: { src_ip: "${SHARED.address}" } } }
  - { id: hash, name: Hash, action: siem.search, params: { match: { attributes.hash: "${SHARED.hash}" } } }
  - id: case
    name: Case
    action: case.create
    params: { title: "Seen {steps.host.total} {steps.user.total} {steps.address.total} {steps.hash.total}", description: "{steps.host.log_ids} {steps.user.users}" }
  - { id: note, name: Note, action: case.comment, params: { body: "{steps.address.log_ids} {steps.hash.hosts}" } }
  - { id: task, name: Task, action: case.task, params: { title: "Look at {steps.host.log_ids}", assignee: alpha } }
  - { id: update, name: Update, action: alert.update, params: { resolution: "Logs {steps.user.log_ids}" } }
  - { id: scan, name: Scan, action: edr.scan, params: { endpoint: "{alert.host}" } }
  - { id: tell, name: Tell, action: notify.webhook, params: { channel: everyone, text: "{steps.host.log_ids} {steps.host.total}" } }
  - { id: ask, name: Ask, action: approval.request, params: { action: "Review {steps.user.log_ids}" } }
`;
const ISOLATE = `id: contain
name: Contain
description: Isolates the host of the alert
steps:
  - { id: isolate, name: Isolate, action: edr.isolate, params: { endpoint: "{alert.host}" } }
`;

async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { bodies, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Two sites with the same values, and callers of the first one whose alerts start automations and investigations. */
export async function startWorkOfSites() {
  const receiver = await startReceiver();
  const response = { ...NO_RESPONSE_SETTINGS, notifyPrivate: parsePrivateTargets("SOC_NOTIFY_PRIVATE", "127.0.0.1") };
  const platform = await contractPlatform({ hasLogs: true, changed: { response } });
  const worker = await wholeWorker(platform.databaseUrl ?? "", platform.dataFolder, { response }, platform.logStore);
  const { send, askWith } = platform;
  await platform.app.listen({ host: "127.0.0.1", port: 0 });

  async function fillSite(name: keyof typeof CANARIES) {
    const canary = CANARIES[name];
    await send("POST /sites", { name, profile: { asset_classes: ["it"] } });
    const { key } = await send("POST /api-keys", {
      name: `logs-${name}`,
      scopes: ["siem:ingest", "edr:manage"],
      sites: [name],
    });
    const log = { message: canary, host: SHARED.host, user: SHARED.user, src_ip: SHARED.address, hash: SHARED.hash };
    const logs = Array.from({ length: LOGS[name] }, () => ({ ...log, process: { name: `${canary}.exe` } }));
    await askWith({ "x-api-key": key }, "POST /siem/ingest?source=test", logs);
    const find = () => send(`GET /siem/logs?query=message:${canary}`);
    const log_ids = await vi.waitFor(async () => {
      const { items } = await find();
      if (items.length < logs.length) throw new Error("the logs cannot be found");
      return items.map(({ id }: { id: string }) => id) as string[];
    }, WAIT);
    const endpoint = randomUUID();
    // A caller of all sites may not register a hostname twice.
    const named = { hostname: SHARED.host, ip: SHARED.address, os: canary };
    await askWith({ "x-api-key": key }, `PUT /edr/endpoints/${endpoint}`, named);
    const alert = await send("POST /alerts", { ...toReport(`${canary} finding`), site: name });
    const opened = await send(`POST /alerts/${alert.id}/promote`);
    return { canary, log_ids, endpoint, alert: String(alert.id), case: String(opened.id) };
  }

  const [alpha, beta] = [await fillSite("Alpha"), await fillSite("Beta")];
  await send("POST /users", { username: "alpha", password: ADMIN_PASSWORD, role: "tier3", sites: ["Alpha"] });
  const { access_token } = await send("POST /auth/token", { username: "alpha", password: ADMIN_PASSWORD });
  const { key } = await send("POST /api-keys", { name: "alpha", scopes: SCOPES, sites: ["Alpha"] });
  const callers: Record<string, Headers> = {
    "a user": { authorization: `Bearer ${access_token}` },
    "an API key": { "x-api-key": key },
  };
  const user = callers["a user"] ?? {};
  await send("POST /notifications/channels", {
    name: "everyone",
    kind: "webhook",
    settings: { url: receiver.url, secret: SECRET },
  });
  for (const yaml of [GATHER, ISOLATE]) await send("POST /soar/playbooks/import", { yaml });
  for (const playbook_id of ["gather", "contain"]) {
    const condition = `title:${playbook_id}*`;
    await send("POST /soar/automations", { name: playbook_id, condition, playbook_id });
  }

  /** The alert that a caller of Alpha reports, with values that both sites have. */
  async function report(headers: Headers, title: string): Promise<string> {
    const { status, body } = await askWith(headers, "POST /alerts", {
      ...toReport(`${title} ${randomUUID()}`),
      // The caller knows ids of foreign logs from elsewhere.
      log_ids: [...alpha.log_ids, ...beta.log_ids, OF_REPORT],
    });
    if (status !== 201) throw new Error(`the alert was answered ${status} ${JSON.stringify(body)}`);
    return body.id;
  }

  async function waitForStep(alert_id: string, step_id: string) {
    return vi.waitFor(async () => {
      const { items } = await send(`GET /soar/executions?alert_id=${alert_id}`);
      const execution = await send(`GET /soar/executions/${items[0]?.execution_id}`);
      const step = execution.steps.find((each: { step_id: string }) => each.step_id === step_id);
      if (!["waiting", "completed", "failed"].includes(step?.status)) {
        throw new Error(`step ${step_id} has not run: ${JSON.stringify(execution.steps)}`);
      }
      return execution;
    }, WAIT);
  }

  async function waitForInvestigation(alert_id: string) {
    const { items } = await vi.waitFor(async () => {
      const listed = await send("GET /agents/investigations?limit=200");
      const own = listed.items.filter((each: { alert_id: string }) => each.alert_id === alert_id);
      if (own[0]?.status !== "completed") throw new Error("the investigation has not ended");
      return { items: own };
    }, WAIT);
    return send(`GET /agents/investigations/${items[0].id}/transcript`);
  }

  /** Everything that an alert of this caller brought about. */
  async function gather(headers: Headers): Promise<Record<string, unknown>> {
    const alert_id = await report(headers, "gather");
    const execution = await waitForStep(alert_id, "ask");
    const { case_id } = await send(`GET /alerts/${alert_id}`);
    return withoutReport({
      execution,
      case: (await askWith(user, `GET /cases/${case_id}/full`)).body,
      alert: await send(`GET /alerts/${alert_id}`),
      approvals: await send("GET /approvals?limit=200"),
      messages: receiver.bodies.filter((body) => body.includes(execution.execution_id)),
      deliveries: await send("GET /notifications/deliveries?limit=200"),
      inbox: (await askWith(user, "GET /inbox")).body,
      investigation: withoutIds(await waitForInvestigation(alert_id), beta.log_ids),
    });
  }

  /** Containment by name: the approval names the endpoint, and the approved execution isolates only this one. */
  async function contain(headers: Headers) {
    const alert_id = await report(headers, "contain");
    const approval = await vi.waitFor(async () => {
      const { items } = await send("GET /approvals?limit=200");
      const own = items.find((each: { alert_id: string }) => each.alert_id === alert_id);
      if (!own) throw new Error("no approval was requested");
      return send(`GET /approvals/${own.id}`);
    }, WAIT);
    await send(`POST /approvals/${approval.id}/decide`, { approved: true, reason: "confirmed" });
    const execution = await waitForStep(alert_id, "isolate");
    return { approval, execution };
  }

  /** What the caller is answered by the tools over HTTP. */
  async function callTools(headers: Headers): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const [name, input] of TOOL_CALLS) answers.push((await askWith(headers, `POST /tools/${name}`, input)).body);
    return answers;
  }

  async function callMcp(headers: Headers): Promise<unknown[]> {
    const { port } = platform.app.server.address() as AddressInfo;
    const client = new Client({ name: "test", version: "1" });
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const answers: unknown[] = [];
    for (const [name, input] of TOOL_CALLS) {
      answers.push(await client.callTool({ name, arguments: input }).catch((error: unknown) => String(error)));
    }
    await client.close();
    return answers;
  }

  async function chat(headers: Headers): Promise<unknown[]> {
    const ask = chatAs(platform.app, headers);
    const about = Object.values(SHARED).map((value) => `what do we know about ${value}`);
    const answers: unknown[] = [];
    for (const question of [...about, "what is new"]) answers.push((await ask(question)).events);
    return answers;
  }

  return {
    alpha,
    beta,
    callers,
    user,
    gather,
    contain,
    callTools,
    callMcp,
    chat,

    /** The words and ids of Beta in an answer. */
    findForeign(answer: unknown): string[] {
      const shown = JSON.stringify(answer);
      const secrets = [beta.canary, beta.endpoint, beta.alert, beta.case, ...beta.log_ids, `Seen ${LOGS.Beta}`];
      return secrets.filter((secret) => shown.includes(secret));
    },

    /** The records of Beta and the commands to its endpoint. */
    async readBeta(): Promise<string> {
      const rows = await platform.query(
        `SELECT alerts::text AS row FROM alerts WHERE id = $1 UNION ALL SELECT cases::text FROM cases WHERE id = $2
         UNION ALL SELECT edr_endpoints::text FROM edr_endpoints WHERE id = $3
         UNION ALL SELECT edr_actions::text FROM edr_actions WHERE endpoint_id = $3`,
        [beta.alert, beta.case, beta.endpoint],
      );
      return JSON.stringify(rows);
    },

    async readIsolation(endpoint: string): Promise<string> {
      return (await send(`GET /edr/endpoints/${endpoint}`)).isolation.desired;
    },

    async close() {
      await worker.close();
      await platform.close();
      receiver.close();
    },
  };
}
export type WorkOfSites = Awaited<ReturnType<typeof startWorkOfSites>>;

const TOOL_CALLS: readonly [string, Record<string, unknown>][] = [
  ["search_logs", { query: `host:${SHARED.host}` }],
  ["search_logs", { query: `user:${SHARED.user}` }],
  ["search_logs", { query: `src_ip:${SHARED.address}` }],
  ["search_logs", { query: SHARED.hash }],
  ["entity_timeline", { kind: "host", value: SHARED.host }],
  ["entity_timeline", { kind: "user", value: SHARED.user }],
  ["entity_timeline", { kind: "address", value: SHARED.address }],
  ["process_tree", { host: SHARED.host }],
  ["prevalence", { field: "user", value: SHARED.user }],
  ["list_alerts", {}],
  ["list_cases", {}],
  ["lookup_ioc", { value: SHARED.address }],
  ["execute_playbook", { playbook_id: "gather", alert_id: randomUUID() }],
];

function toReport(title: string) {
  return { title, source: "edr", severity: "high", host: SHARED.host, user: SHARED.user };
}

/** The ids that the caller put into the alert are no secret, but what the platform read by them is. */
function withoutReport<Found>(found: Found): Found {
  const isReport = (value: unknown) => Array.isArray(value) && value.includes(OF_REPORT);
  return JSON.parse(JSON.stringify(found, (_, value: unknown) => (isReport(value) ? undefined : value)));
}

/** An investigation asks for each log of its alert by its id; a log that it reads contains the canary. */
function withoutIds<Found>(found: Found, ids: readonly string[]): Found {
  return JSON.parse(ids.reduce((read, id) => read.replaceAll(id, ""), JSON.stringify(found)));
}
