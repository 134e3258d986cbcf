import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { findRequiredDefaults } from "@kit/testing/openapi-check";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { STORED_LOG_ID, startSharedLogStore } from "../../../testing/servers/shared-log-store.ts";

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let logs: Awaited<ReturnType<typeof startSharedLogStore>>;
let address: string;
let asAdmin: Record<string, string>;
const clients: Client[] = [];

beforeAll(async () => {
  const { url } = await freshDatabase();
  logs = await startSharedLogStore();
  platform = await wholePlatform("real", url, undefined, logs.logStore);
  await platform.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = platform.app.server.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
  asAdmin = await signIn(platform.app);
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await platform.close();
  await logs.stop();
});

const REVISIONS = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const;

async function connect(mode: (typeof REVISIONS)[number][1], headers = asAdmin, path = "/mcp") {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}${path}`), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

const listNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).toSorted();

async function createKey(name: string, scopes: string[]) {
  const payload = { name, scopes };
  const made = await platform.app.inject({ method: "POST", url: "/api/v1/api-keys", headers: asAdmin, payload });
  return { "x-api-key": String(made.json().key) };
}

/** Sends a raw request, because fetch does not allow setting Host and Origin. */
async function send(headers: Record<string, string>, method = "POST", path = "/mcp", params = {}) {
  const asked = request(`${address}${path}`, { method, headers: { "content-type": "application/json", ...headers } });
  asked.end(method === "POST" ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params }) : undefined);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

it.each(REVISIONS)("supports revision %s with the official client", async (revision, mode) => {
  const client = await connect(mode);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(await listNames(client)).toEqual([
    "create_case",
    "entity_timeline",
    "execute_playbook",
    "generate_report",
    "get_alert",
    "get_case",
    "get_device",
    "list_alerts",
    "list_cases",
    "lookup_ioc",
    "prevalence",
    "process_tree",
    "request_human_approval",
    "search_logs",
    "update_case",
  ]);
});

it.each(REVISIONS)("calls tools with revision %s, and the client accepts the answers", async (_revision, mode) => {
  const client = await connect(mode);
  const created = await client.callTool({ name: "create_case", arguments: { title: "by MCP", unknown: "dropped" } });
  expect(created.isError).toBeFalsy();
  expect(created.structuredContent).toEqual({
    case_id: expect.any(String),
    status: "open",
    error_code: null,
    error: null,
  });
  const { case_id } = created.structuredContent as { case_id: string };
  const read = await client.callTool({ name: "get_case", arguments: { case_id } });
  expect(read.structuredContent).toMatchObject({ status: "completed", case: { title: "by MCP" }, error: null });
  const found = await client.callTool({
    name: "search_logs",
    arguments: { query: "host:srv-7", from: "2020-01-01", to: "2030-01-01" },
  });
  expect(found.structuredContent).toMatchObject({ total: 1, logs: [{ id: STORED_LOG_ID }] });
});

it.each(REVISIONS)("returns refusals with revision %s as an envelope", async (_revision, mode) => {
  const client = await connect(mode);
  const missing = await client.callTool({ name: "get_alert", arguments: { alert_id: "nope" } });
  expect(missing.isError).toBe(true);
  expect(missing.structuredContent).toEqual({
    status: "error",
    error_code: "not_found",
    error: "alert 'nope' does not exist",
  });
  const invalid = await client.callTool({ name: "get_alert", arguments: {} });
  expect(invalid.structuredContent).toMatchObject({ error_code: "invalid_input", error: "alert_id: is required" });
});

it.each(REVISIONS)(
  "describes with revision %s the answer of a tool and that it may refuse",
  async (_revision, mode) => {
    const { tools } = await (await connect(mode)).listTools();
    for (const { outputSchema } of tools) {
      expect(outputSchema).toMatchObject({
        type: "object",
        anyOf: [
          { required: expect.arrayContaining(["status", "error_code", "error"]) },
          { properties: { status: { const: "error" } }, required: ["status", "error_code", "error"] },
        ],
      });
    }
  },
);

it.each(REVISIONS)("requires no input with a default in revision %s", async (_revision, mode) => {
  const { tools } = await (await connect(mode)).listTools();
  expect(findRequiredDefaults(tools.map(({ inputSchema }) => inputSchema))).toEqual([]);
  const playbook = tools.find(({ name }) => name === "execute_playbook");
  expect(playbook?.inputSchema.required).toEqual(["playbook_id", "alert_id"]);
});

it.each(REVISIONS)("treats null as absent in optional inputs with revision %s", async (_revision, mode) => {
  const input = { title: "nulls by MCP", severity: null, alert_ids: null, description: null };
  const created = await (await connect(mode)).callTool({ name: "create_case", arguments: input });
  expect(created.structuredContent).toMatchObject({ status: "open", error: null });
});

it("promises no notification about changed tools", async () => {
  expect((await connect("legacy")).getServerCapabilities()).toEqual({ tools: { listChanged: false } });
});

it.each(REVISIONS)("lists and calls with revision %s only what the caller may use", async (revision, mode) => {
  const client = await connect(mode, await createKey(`key-${revision}`, ["alerts:read"]));
  expect(await listNames(client)).toEqual(["get_alert", "list_alerts"]);
  await expect(client.callTool({ name: "create_case", arguments: { title: "no" } })).rejects.toThrow(/not found/);
});

it("restricts the tools to those of the agent in the address", async () => {
  const client = await connect("legacy", asAdmin, "/mcp?agent_id=FirmwareAgent");
  const names = await listNames(client);
  expect(names).toContain("search_logs");
  expect(names).not.toContain("execute_playbook");
  expect((await send(asAdmin, "POST", "/mcp?agent_id=agent-015")).status).toBe(400);
});

it("answers 401 with the resource metadata document and serves that document", async () => {
  const refused = await send({});
  expect(refused.status).toBe(401);
  expect(JSON.parse(refused.body)).toEqual({ detail: expect.any(String) });
  const metadata = `${address}/.well-known/oauth-protected-resource/mcp`;
  expect(refused.headers["www-authenticate"]).toBe(`Bearer resource_metadata="${metadata}"`);
  const document = await fetch(metadata);
  expect(document.status).toBe(200);
  expect(await document.json()).toEqual({
    resource: `${address}/mcp`,
    resource_name: "Manara SOC",
    bearer_methods_supported: ["header"],
  });
});

it.each([
  ["a foreign Origin", { origin: "https://evil.example" }],
  ["an opaque Origin", { origin: "null" }],
  ["a foreign Host", { host: "evil.example:8080" }],
  ["a rebound page", { host: "evil.example", origin: "http://evil.example" }],
])("refuses %s", async (_what, headers) => {
  const refused = await send({ ...asAdmin, ...headers });
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.body).detail).toMatch(/^(Host|Origin): /);
});

it("serves no metadata document under a foreign Host", async () => {
  expect((await send({ host: "evil.example" })).headers["www-authenticate"]).toBe("Bearer");
  expect((await send({ host: "evil.example" }, "GET", "/.well-known/oauth-protected-resource/mcp")).status).toBe(403);
});

it("answers the sequence of docs/operations/tools.md message by message without a session", async () => {
  const guide = await readFile(new URL("../../../../../docs/operations/tools.md", import.meta.url), "utf8");
  const messages = [...guide.matchAll(/^mcp '(.+?)'/gm)].map(([, message = ""]) => message);
  const accept = "application/json, text/event-stream";
  const headers = { ...asAdmin, accept, "content-type": "application/json", "mcp-protocol-version": "2025-11-25" };
  const answers = [];
  for (const body of messages) {
    const answer = await fetch(`${address}/mcp`, { method: "POST", headers, body });
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    const [, data = "{}"] = /^data: (.+)$/m.exec(await answer.text()) ?? [];
    answers.push([answer.status, JSON.parse(data)]);
  }
  expect(answers).toMatchObject([
    [200, { id: 1, result: { protocolVersion: "2025-11-25", serverInfo: { name: "manara-soc" } } }],
    [202, {}],
    [200, { id: 2, result: { tools: expect.arrayContaining([expect.objectContaining({ name: "lookup_ioc" })]) } }],
    [200, { id: 3, result: { structuredContent: { status: "completed", found: false } } }],
    [200, { id: 4, result: {} }],
  ]);
});

it.each(["GET", "DELETE"])("answers %s with 405, because there are no sessions", async (method) => {
  const refused = await send(asAdmin, method);
  expect(refused.status).toBe(405);
  expect(refused.headers.allow).toBe("POST");
});

it("keeps the security headers on every answer", async () => {
  const { headers } = await send({ ...asAdmin, accept: "application/json, text/event-stream" });
  expect(headers).toMatchObject({ "ratelimit-limit": "1000000" });
  expect(headers["x-request-id"]).toEqual(expect.any(String));
});

it("refuses a batch and opens no subscription", async () => {
  const post = (body: unknown, extra = {}) =>
    fetch(`${address}/mcp`, {
      method: "POST",
      headers: {
        ...asAdmin,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...extra,
      },
      body: JSON.stringify(body),
    });
  expect((await post([{ jsonrpc: "2.0", id: 1, method: "ping" }])).status).toBe(400);
  const client = await connect({ pin: "2026-07-28" });
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
});

it("serves 50 concurrent clients", async () => {
  const open: Client[] = [];
  // In groups, because clients and service share one process here.
  for (let group = 0; group < 10; group += 1) {
    const modes = Array.from({ length: 5 }, (_, at) => REVISIONS[at % 2]?.[1] ?? "legacy");
    open.push(...(await Promise.all(modes.map((mode) => connect(mode)))));
  }
  const call = { name: "lookup_ioc", arguments: { value: "192.0.2.1" } };
  const found = await Promise.all(open.map((client) => client.callTool(call)));
  expect(found).toHaveLength(50);
  for (const { structuredContent } of found) expect(structuredContent).toMatchObject({ status: "completed", iocs: [] });
});

it("refuses a body of more than a megabyte", async () => {
  const refused = await send(asAdmin, "POST", "/mcp", { filler: "x".repeat(1024 * 1024) });
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.body)).toEqual({ detail: "body: must be at most 1048576 bytes" });
});

describe("an MCP call that waits for a person", () => {
  const MAX_WAITS = 10;
  const accepted = { accept: "application/json, text/event-stream", "content-type": "application/json" };

  /** Starts calls and returns their connections after all approvals are stored. */
  async function openWaits(headers: Record<string, string>, actions: readonly string[]) {
    const opened = actions.map((action) => {
      const asked = request(`${address}/mcp`, { method: "POST", headers: { ...accepted, ...headers } });
      asked.on("error", () => undefined);
      const params = { name: "request_human_approval", arguments: { action, justification: "seen" } };
      asked.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
      return asked;
    });
    await expect.poll(findActions, { timeout: 60_000, interval: 500 }).toEqual(expect.arrayContaining([...actions]));
    return opened;
  }

  async function findActions(): Promise<string[]> {
    const { items } = (await platform.app.inject({ url: "/api/v1/approvals?limit=200", headers: asAdmin })).json();
    return items.map((each: { action: string }) => each.action);
  }

  async function findCode(action: string) {
    const payload = { action, justification: "seen", budget_ms: 1000 };
    const url = "/api/v1/tools/request_human_approval";
    return (await platform.app.inject({ method: "POST", url, headers: asAdmin, payload })).json().error_code;
  }

  it("is no longer counted when its client disconnects", async () => {
    const actions = Array.from({ length: MAX_WAITS }, (_, at) => `Isolate WS-${at}`);
    const open = await openWaits(asAdmin, actions);
    await expect.poll(() => findCode("one more"), { timeout: 30_000 }).toBe("unavailable");
    for (const each of open) each.destroy();
    await expect.poll(() => findCode("one more"), { timeout: 30_000 }).toBe("budget_exceeded");
  });

  it("does not keep a revoked key valid: the next request with it gets 401", async () => {
    const payload = { name: "short-lived", scopes: ["cases:write"] };
    const made = await platform.app.inject({ method: "POST", url: "/api/v1/api-keys", headers: asAdmin, payload });
    const { id, key } = made.json();
    const headers = { "x-api-key": String(key) };
    const waiting = await openWaits(headers, ["Isolate WS-77"]);
    expect((await send({ ...headers, ...accepted })).status).toBe(200);
    await platform.app.inject({ method: "DELETE", url: `/api/v1/api-keys/${id}`, headers: asAdmin });
    expect((await send({ ...headers, ...accepted })).status).toBe(401);
    for (const each of waiting) each.destroy();
  });
});
