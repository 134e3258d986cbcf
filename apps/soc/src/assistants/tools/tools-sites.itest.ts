import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SendRequest, startTwoSites, type TwoSites } from "../../../testing/harness/limited-callers.ts";

const TABLES = ["devices", "device_certificates", "attestations", "firmware"];
/** They read or change records without a site, or do not support sites. */
const CLOSED = ["lookup_ioc", "generate_report"];
const LOG_TOOLS = new Map<string, object>([
  ["search_logs", { query: "*" }],
  ["entity_timeline", { kind: "host", value: "shared-host" }],
  ["process_tree", { host: "shared-host" }],
  ["prevalence", { field: "host", value: "shared-host" }],
]);
const REFUSAL = "requires access to all sites";

let soc: TwoSites;
let ofAlpha: SendRequest;
let keyOfAlpha: SendRequest;
let own: string;
let foreign: string;

beforeAll(async () => {
  soc = await startTwoSites();
  const { alpha, beta } = soc;
  const add = async (word: string, site: string) => {
    const id = randomUUID();
    await soc.query(
      `INSERT INTO devices (id, name, type, site, enrolled_at, last_seen) VALUES ($1, $2, $3, $4, now(), now())`,
      [id, `name-${word}`, `type-${word}`, site],
    );
    return id;
  };
  [own, foreign] = [await add(alpha.word, alpha.id), await add(beta.word, beta.id)];
  ofAlpha = await soc.addLimited("admin", [alpha]);
  keyOfAlpha = await soc.addLimitedKey(["cps:read", "siem:read", "iocs:read"], [alpha]);
});

afterAll(() => soc.close());

it("lists only the tools that support sites", async () => {
  const { items, total } = (await ofAlpha("GET", "/tools?limit=100")).json() as {
    items: { name: string }[];
    total: number;
  };
  const names = items.map(({ name }) => name);
  expect(total).toBe(names.length);
  expect(names).toContain("get_device");
  for (const name of [...CLOSED, "execute_playbook", "request_human_approval"]) expect(names).not.toContain(name);
});

it("refuses the other tools", async () => {
  const bodies = new Map<string, object>([
    ["lookup_ioc", { value: "198.51.100.7" }],
    ["generate_report", { report_type: "executive" }],
    ["execute_playbook", { playbook_id: "ransomware-host", alert_id: randomUUID() }],
    ["request_human_approval", { action: "Isolate it", justification: "" }],
  ]);
  for (const [name, body] of bodies) {
    const refused = await ofAlpha("POST", `/tools/${name}`, body);
    expect([name, refused.status, refused.json()]).toEqual([name, 403, { detail: REFUSAL }]);
  }
});

async function expectOnlyOwn(ask: SendRequest): Promise<void> {
  const read = (device_id: string) => ask("POST", "/tools/get_device", { device_id });
  expect((await read(own)).json()).toMatchObject({ status: "completed", device: { id: own, site: soc.alpha.id } });
  for (const named of [foreign, `name-${soc.beta.word}`]) {
    const [real, none] = [await read(named), await read(`x${named}`)];
    expect(real.json()).toMatchObject({ status: "error", error_code: "not_found" });
    expect(real.body).toBe(none.body.replaceAll(`x${named}`, named));
  }
}

it("reads only devices of the caller's site, including through an agent", async () => {
  await expectOnlyOwn(ofAlpha);
  await expectOnlyOwn(keyOfAlpha);
  await soc.withoutPolicies(TABLES, () => expectOnlyOwn(ofAlpha));
  const asAgent = await ofAlpha("POST", "/tools/get_device", { device_id: own, agent_id: "FirmwareAgent" });
  expect(asAgent.json()).toMatchObject({ status: "completed", device: { id: own } });
});

it("reads only alerts, cases and logs of the caller's site", async () => {
  const ids = new Map<string, { alert: string; opened: string }>();
  for (const { name: site, word } of [soc.alpha, soc.beta]) {
    const alert = await soc.asAdmin("POST", "/alerts", { title: word, source: word, host: "shared-host", site });
    const opened = await soc.asAdmin("POST", `/alerts/${alert.id}/promote`);
    ids.set(word, { alert: alert.id, opened: opened.id });
    const { key } = await soc.asAdmin("POST", "/api-keys", { name: word, scopes: ["siem:ingest"], sites: [site] });
    const log = { message: word, host: "shared-host", user: word, process: { pid: 7, name: word } };
    expect((await soc.ask("POST", "/api/v1/siem/ingest", { "x-api-key": key }, log)).status).toBeLessThan(300);
    await expect.poll(async () => (await soc.asAdmin("GET", `/siem/logs?query=${word}`)).total).toBe(1);
  }
  const [mine, theirs] = [ids.get(soc.alpha.word), ids.get(soc.beta.word)];
  const run = async (name: string, input: object) => {
    const { body } = await ofAlpha("POST", `/tools/${name}`, input);
    expect(body).not.toContain(soc.beta.word);
    return JSON.parse(body);
  };
  async function expectOwnRecords(): Promise<void> {
    expect((await run("list_alerts", {})).alerts).toMatchObject([{ id: mine?.alert }]);
    expect((await run("list_cases", {})).cases).toMatchObject([{ id: mine?.opened }]);
    expect(await run("get_alert", { alert_id: mine?.alert })).toMatchObject({ status: "completed" });
    expect(await run("get_case", { case_id: mine?.opened })).toMatchObject({ status: "completed" });
    expect(await run("get_alert", { alert_id: theirs?.alert })).toMatchObject({ error_code: "not_found" });
    expect(await run("get_case", { case_id: theirs?.opened })).toMatchObject({ error_code: "not_found" });
  }
  await expectOwnRecords();
  await soc.withoutPolicies(["alerts", "cases"], expectOwnRecords);
  for (const [name, input] of LOG_TOOLS) {
    const found = await run(name, input);
    expect([name, found.status]).toEqual([name, "completed"]);
    if (name === "search_logs" || name === "entity_timeline") expect(JSON.stringify(found)).toContain(soc.alpha.word);
  }
});

it("offers and runs over MCP only tools that support sites", async () => {
  const username = `mcp-${randomUUID()}`;
  await soc.addUser(username, "admin");
  await soc.asAdmin("PATCH", `/users/${username}`, { sites: [soc.alpha.id] });
  const { token } = await soc.signIn(username);
  const { port } = soc.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers } }),
  );
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("get_device");
  for (const name of CLOSED) expect(names).not.toContain(name);
  const read = async (device_id: string) =>
    JSON.stringify(await client.callTool({ name: "get_device", arguments: { device_id } }));
  expect(await read(own)).toContain(soc.alpha.word);
  const hidden = await read(foreign);
  expect(hidden).toContain("not_found");
  expect(hidden).not.toContain(soc.beta.word);
  await expect(client.callTool({ name: "lookup_ioc", arguments: { value: "1.2.3.4" } })).rejects.toThrow(/not found/i);
  await client.close();
});
