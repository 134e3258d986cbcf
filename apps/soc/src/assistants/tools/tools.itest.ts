import { createClock } from "@kit/clock";
import { findRequiredDefaults } from "@kit/testing/openapi-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { startSharedLogStore } from "../../../testing/servers/shared-log-store.ts";

const NOTHING = "0197f000-0000-7000-8000-00000000dead";
const OK = { error_code: null, error: null };
const ENDPOINT = "0197f000-0000-7000-8000-0000000000e1";

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let logs: Awaited<ReturnType<typeof startSharedLogStore>>;
let asAdmin: SendRequest;
let alert_id: string;
let case_id: string;

beforeAll(async () => {
  const { url } = await freshDatabase();
  logs = await startSharedLogStore();
  await logs.logStore.insert(sampleEvents(), { token: "processes" });
  platform = await wholePlatform("real", url, undefined, logs.logStore);
  asAdmin = askAs(platform.app, await signIn(platform.app));
  const step = { id: "wait", name: "Wait", action: "wait", params: { seconds: 3600 } };
  const isolate = { id: "cut", name: "Isolate it", action: "edr.isolate", params: { endpoint: ENDPOINT } };
  await send("PUT", `/edr/endpoints/${ENDPOINT}`, { hostname: "ws-7" });
  await send("PUT", "/soar/playbooks/waits", { name: "Waits", steps: [step, { ...step, id: "again" }] });
  await send("PUT", "/soar/playbooks/isolates", { name: "Isolates", steps: [isolate] });
  await send("PUT", "/soar/playbooks/disabled", { name: "Disabled", steps: [step] });
  await send("POST", "/soar/playbooks/disabled/toggle");
  alert_id = (await send("POST", "/alerts", { title: "Beacon", source: "sensor" })).id;
  case_id = (await send("POST", "/cases", { title: "Beacon" })).id;
  await send("POST", "/iocs", { value: "evil.example.org", force: true });
});

afterAll(async () => {
  await platform.close();
  await logs.stop();
});

async function send(method: string, path: string, payload: object = {}) {
  const { status, body } = await asAdmin(method, path, payload);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status} ${body}`);
  return JSON.parse(body);
}

/** Calls a tool; every answer here is 200. */
async function call(name: string, input: object) {
  const { status, body } = await asAdmin("POST", `/tools/${name}`, input);
  expect(status).toBe(200);
  return JSON.parse(body);
}

const countExecutions = async () => (await send("GET", "/soar/executions")).total;

function sampleEvents() {
  const at = { timestamp: createClock().now().toISOString(), ingested_at: createClock().now().toISOString() };
  const event = (id: number, attributes: object, fields = {}) =>
    sampleLog({
      id: `01980000-0000-7000-8000-0000000020${id}`,
      host: "ws-7",
      user: "ada",
      ...at,
      ...fields,
      attributes: { ...attributes },
    });
  return [
    event(10, { ProcessGuid: "{2}", ParentProcessGuid: "{1}", Image: "winword.exe" }, { process: "winword.exe" }),
    event(11, { ProcessGuid: "{3}", ParentProcessGuid: "{2}", Image: "cmd.exe" }, { process: "cmd.exe" }),
    event(
      12,
      {},
      { host: "ws-8", process: "cmd.exe", src_ip: "192.0.2.7", message: "x".repeat(3000), raw: "secret raw" },
    ),
    event(13, {}, { host: 'we"ird\\', user: "eve", dst_ip: "192.0.2.7" }),
  ];
}

describe("tool execute_playbook", () => {
  it("starts a playbook and returns the documented fields", async () => {
    const answer = await call("execute_playbook", { playbook_id: "waits", alert_id });
    expect(answer).toEqual({
      execution_id: expect.any(String),
      status: "queued",
      steps_completed: 0,
      total_steps: 2,
      dry_run: false,
      requires_approval: false,
      ...OK,
    });
    expect(await send("GET", `/soar/executions/${answer.execution_id}`)).toMatchObject({
      alert_id,
      playbook_id: "waits",
    });
  });

  it("executes nothing with dry_run", async () => {
    const before = await countExecutions();
    expect(await call("execute_playbook", { playbook_id: "waits", alert_id, dry_run: true })).toEqual({
      execution_id: null,
      status: "preview",
      steps_completed: 0,
      total_steps: 2,
      dry_run: true,
      requires_approval: false,
      ...OK,
    });
    expect(await call("execute_playbook", { playbook_id: "isolates", alert_id, dry_run: true })).toEqual({
      execution_id: null,
      status: "preview",
      steps_completed: 0,
      total_steps: 1,
      dry_run: true,
      requires_approval: true,
      ...OK,
    });
    expect(await countExecutions()).toBe(before);
    expect((await send("GET", "/approvals")).total).toBe(0);
  });

  it("requests an approval for a critical playbook and starts it once with that approval", async () => {
    const input = { playbook_id: "isolates", alert_id };
    const before = await countExecutions();
    const asked = await call("execute_playbook", input);
    expect(asked).toEqual({
      execution_id: null,
      status: "pending_approval",
      steps_completed: 0,
      total_steps: 1,
      dry_run: false,
      requires_approval: true,
      approval_id: expect.any(String),
      error_code: "approval_required",
      error: expect.stringMatching(/critical/),
    });
    const { approval_id } = asked;
    expect(await call("execute_playbook", { ...input, approval_id })).toMatchObject({
      status: "pending_approval",
      approval_id,
    });
    expect(await countExecutions()).toBe(before);
    await send("POST", `/approvals/${approval_id}/decide`, { approved: true });
    const started = await call("execute_playbook", { ...input, approval_id });
    expect(started).toMatchObject({ execution_id: expect.any(String), status: "queued", ...OK });
    expect(await call("execute_playbook", { ...input, approval_id })).toMatchObject({
      execution_id: started.execution_id,
    });
    expect(await countExecutions()).toBe(before + 1);
  });

  it("refuses a rejected approval", async () => {
    const input = { playbook_id: "isolates", alert_id, parameters: { note: "second" } };
    const { approval_id } = await call("execute_playbook", input);
    await send("POST", `/approvals/${approval_id}/decide`, { approved: false });
    expect(await call("execute_playbook", { ...input, approval_id })).toMatchObject({
      status: "error",
      error_code: "conflict",
    });
  });

  it.each([
    [{ playbook_id: "waits" }, "invalid_input", /^alert_id: is required$/],
    [{ alert_id: NOTHING }, "invalid_input", /^playbook_id: is required$/],
    [{ playbook_id: "waits", alert_id: NOTHING, dry_run: "yes" }, "invalid_input", /^dry_run: must be true or false$/],
    [{ playbook_id: "waits", alert_id: NOTHING, parameters: [] }, "invalid_input", /^parameters: must be an object$/],
    [{ playbook_id: "absent", alert_id: NOTHING }, "not_found", /^playbook 'absent' does not exist$/],
    [{ playbook_id: "waits", alert_id: NOTHING }, "not_found", /^alert /],
    [{ playbook_id: "disabled", alert_id: NOTHING }, "conflict", /^playbook 'disabled' is disabled$/],
    [
      { playbook_id: "waits", alert_id: NOTHING, agent_id: "TriageAgent" },
      "forbidden",
      /^agent 'TriageAgent' lacks playbooks:execute$/,
    ],
    [{ playbook_id: "waits", alert_id: NOTHING, agent_id: "agent-099" }, "invalid_input", /^agent_id: /],
    [{ playbook_id: "waits", alert_id: NOTHING, budget_ms: 0 }, "invalid_input", /^budget_ms: /],
  ])("refuses %j as %s", async (input, error_code, error) => {
    const answer = await call("execute_playbook", input);
    expect(answer).toEqual({ status: "error", error_code, error: expect.stringMatching(error) });
  });
});

describe("tool create_case", () => {
  it("opens a case with the given fields", async () => {
    const given = { title: "Beacon", severity: "high", description: "seen", alert_ids: [alert_id] };
    const answer = await call("create_case", given);
    expect(answer).toEqual({ case_id: expect.any(String), status: "open", ...OK });
    expect(await send("GET", `/cases/${answer.case_id}`)).toMatchObject({
      title: "Beacon",
      severity: "high",
      description: "seen",
    });
    expect(await send("GET", `/alerts/${alert_id}`)).toMatchObject({ case_id: answer.case_id });
  });

  it("needs no input: a case is named after its first alert, or is untitled", async () => {
    const bare = await call("create_case", {});
    expect(await send("GET", `/cases/${bare.case_id}`)).toMatchObject({ title: "Untitled case", severity: "medium" });
    const linked = await call("create_case", { alert_ids: [alert_id] });
    expect(await send("GET", `/cases/${linked.case_id}`)).toMatchObject({ title: "Beacon" });
  });

  it("stores nothing when the budget of the call ends before the case is stored", async () => {
    const answer = await call("create_case", { title: "too slow", budget_ms: 1 });
    expect(answer).toMatchObject({ status: "error", error_code: "budget_exceeded" });
    expect((await send("GET", "/cases?q=slow")).total).toBe(0);
  });

  it.each([
    [{ severity: "urgent" }, "invalid_input", /^severity: must be one of /],
    [{ title: "x", alert_ids: [NOTHING] }, "not_found", /^alert /],
    [{ title: "x", agent_id: "SupervisorAgent" }, "invalid_input", /^agent_id: must be agent-001 to agent-014/],
  ])("refuses %j as %s", async (input, error_code, error) => {
    expect(await call("create_case", input)).toEqual({
      status: "error",
      error_code,
      error: expect.stringMatching(error),
    });
  });
});

describe("tool update_case", () => {
  it("changes status and severity and stores notes as a comment", async () => {
    const answer = await call("update_case", { case_id, status: "investigating", severity: "low", notes: "seen" });
    expect(answer).toEqual({ case_id, status: "investigating", ...OK });
    const changed = await send("GET", `/cases/${case_id}`);
    expect(changed).toMatchObject({
      status: "investigating",
      severity: "low",
      comments: [{ body: "seen", author: "admin" }],
    });
  });

  it("adds only notes and returns the status of the case", async () => {
    expect(await call("update_case", { case_id, notes: "again" })).toEqual({ case_id, status: "investigating", ...OK });
  });

  it("moves a case out of pending_approval when no approval is open", async () => {
    const { case_id: id } = await call("create_case", { title: "waits for a person" });
    await call("update_case", { case_id: id, status: "pending_approval" });
    expect(await call("update_case", { case_id: id, status: "open" })).toEqual({ case_id: id, status: "open", ...OK });
    expect(await send("GET", `/cases/${id}`)).toMatchObject({ status: "open" });
  });

  it.each([
    [{ status: "open" }, "invalid_input", /^case_id: is required$/],
    [{ case_id: NOTHING }, "invalid_input", /^status: is required without notes and severity$/],
    [{ case_id: NOTHING, status: "done" }, "invalid_input", /^status: must be one of /],
    [{ case_id: NOTHING, notes: "x" }, "not_found", /^case /],
    [{ case_id: "nope", status: "open" }, "not_found", /^case 'nope' does not exist$/],
  ])("refuses %j as %s", async (input, error_code, error) => {
    expect(await call("update_case", input)).toEqual({
      status: "error",
      error_code,
      error: expect.stringMatching(error),
    });
  });
});

describe("tool generate_report", () => {
  it("creates and stores a report, in markdown by default", async () => {
    const answer = await call("generate_report", { report_type: "investigation", case_id });
    expect(answer).toEqual({
      report_id: expect.any(String),
      status: "completed",
      content: expect.stringMatching(/^# /),
      ...OK,
    });
    const kept = await send("GET", `/reports/${answer.report_id}`);
    expect(kept).toMatchObject({ format: "markdown", case_id, content: answer.content });
  });

  it("creates by default an investigation report for a case and an executive report without one", async () => {
    const readType = async (input: object) => {
      const { report_id } = await call("generate_report", input);
      return (await send("GET", `/reports/${report_id}`)).report_type;
    };
    expect(await readType({ case_id })).toBe("investigation");
    expect(await readType({})).toBe("executive");
  });

  it.each(["executive", "compliance"])("creates a report of the type %s without a case", async (report_type) => {
    const answer = await call("generate_report", { report_type, format: "json" });
    expect(answer).toMatchObject({ status: "completed", ...OK });
    expect(() => JSON.parse(answer.content)).not.toThrow();
  });

  it.each([
    [{ report_type: "monthly" }, "invalid_input", /^report_type: must be one of investigation, executive, compliance$/],
    [{ report_type: "executive", format: "docx" }, "invalid_input", /^format: must be one of /],
    [{ report_type: "investigation" }, "invalid_input", /^case_id: /],
    [{ report_type: "investigation", case_id: NOTHING }, "not_found", /^case /],
    [{ report_type: "executive", budget_ms: 1 }, "budget_exceeded", /^budget_ms: the call did not finish within 1 ms$/],
  ])("refuses %j as %s", async (input, error_code, error) => {
    expect(await call("generate_report", input)).toEqual({
      status: "error",
      error_code,
      error: expect.stringMatching(error),
    });
  });
});

describe("read tools", () => {
  it("read an alert, a case and an indicator", async () => {
    expect(await call("get_alert", { alert_id })).toMatchObject({
      status: "completed",
      alert: { id: alert_id },
      ...OK,
    });
    expect(await call("get_case", { case_id })).toMatchObject({ status: "completed", case: { id: case_id }, ...OK });
    const alerts = await call("list_alerts", { severity: ["critical", "high", "medium", "low"], limit: 1 });
    expect(alerts).toMatchObject({ status: "completed", alerts: [{ id: expect.any(String) }], ...OK });
    expect(alerts.alerts[0]).not.toHaveProperty("description");
    expect(await call("list_alerts", { host: ["no-such-host"] })).toMatchObject({ total: 0, alerts: [], ...OK });
    expect(await call("list_alerts", { limit: 101 })).toMatchObject({ error_code: "invalid_input" });
    const cases = await call("list_cases", { limit: 100 });
    expect(cases.cases.map(({ id }: { id: string }) => id)).toContain(case_id);
    const found = await call("lookup_ioc", { value: "hxxp://evil[.]example[.]org" });
    expect(found).toMatchObject({ status: "completed", found: false, iocs: [] });
    const known = await call("lookup_ioc", { value: "EVIL[.]example.org" });
    expect(known).toMatchObject({ found: true, iocs: [{ type: "domain", value: "evil.example.org" }], ...OK });
  });

  it("search logs and return them without originals and with short texts", async () => {
    const { logs: found, ...rest } = await call("search_logs", { query: "src_ip:192.0.2.7" });
    expect(rest).toEqual({ status: "completed", total: 1, ...OK });
    expect(found).toMatchObject([{ host: "ws-8", is_shortened: true }]);
    expect(found[0].message).toHaveLength(2001);
    expect(JSON.stringify(found)).not.toContain("secret raw");
  });

  it("list the events of an entity in order", async () => {
    const host = await call("entity_timeline", { kind: "host", value: "ws-7" });
    expect(host).toMatchObject({ total: 2, events: [{ host: "ws-7" }, { host: "ws-7" }], ...OK });
    expect(await call("entity_timeline", { kind: "address", value: "192.0.2.7" })).toMatchObject({ total: 2 });
    expect(await call("entity_timeline", { kind: "host", value: 'we"ird\\' })).toMatchObject({ total: 1 });
    expect(await call("entity_timeline", { kind: "host", value: 'x" OR host:"ws-7' })).toMatchObject({ total: 0 });
  });

  it("build the process tree of a host", async () => {
    const { processes, is_complete } = await call("process_tree", { host: "ws-7", process: "cmd" });
    expect(is_complete).toBe(true);
    expect(processes.map(({ id, parent_id }: { id: string; parent_id: string }) => [id, parent_id])).toEqual([
      ["{1}", null],
      ["{2}", "{1}"],
      ["{3}", "{2}"],
    ]);
  });

  it("count how common a value is", async () => {
    const common = await call("prevalence", { field: "process", value: "cmd.exe" });
    expect(common).toMatchObject({
      total: 2,
      sampled: 2,
      host_count: 2,
      user_count: 1,
      users: [{ name: "ada", events: 2 }],
    });
    const rare = await call("prevalence", { field: "attributes.ProcessGuid", value: "{3}" });
    expect(rare).toMatchObject({ total: 1, hosts: [{ name: "ws-7", events: 1 }] });
  });

  it.each([
    ["get_alert", { alert_id: NOTHING }, "not_found", /^alert /],
    ["get_case", { case_id: "nope" }, "not_found", /^case /],
    ["get_device", { device_id: "nope" }, "not_found", /^device /],
    ["get_device", {}, "invalid_input", /^device_id: is required/],
    ["search_logs", { query: "host:(" }, "invalid_input", /^query: /],
    ["search_logs", { limit: 101 }, "invalid_input", /^limit: must be an integer from 1 to 100$/],
    ["search_logs", { from: "2026-01-02", to: "2026-01-01T00:00:00Z" }, "invalid_input", /^from: /],
    ["entity_timeline", { kind: "address", value: "ws-7" }, "invalid_input", /^value: must be an IP address$/],
    ["entity_timeline", { kind: "device", value: "x" }, "invalid_input", /^kind: must be one of /],
    ["process_tree", {}, "invalid_input", /^host: is required$/],
    ["prevalence", { field: "raw", value: "x" }, "invalid_input", /^field: /],
  ])("%s refuses %j as %s", async (name, input, error_code, error) => {
    expect(await call(name, input)).toEqual({ status: "error", error_code, error: expect.stringMatching(error) });
  });
});

describe("tool routes", () => {
  it("count execute_playbook, by route and by MCP, in the limit of playbook executions", () => {
    const findConfig = (path: string) => platform.app.registeredRoutes.find((each) => each.path === path)?.config;
    const message = (name: string) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } });
    expect(findConfig("/api/v1/tools/execute_playbook")?.isPlaybookExecution).toBe(true);
    expect(findConfig("/api/v1/tools/create_case")?.isPlaybookExecution).toBe(false);
    const mcp = findConfig("/mcp");
    expect(mcp?.isPlaybookExecutionBody?.(message("execute_playbook"))).toBe(true);
    expect(mcp?.isPlaybookExecutionBody?.(message("create_case"))).toBe(false);
    const lane = mcp?.logLane;
    expect(typeof lane === "function" && lane(message("search_logs"))).toBe("people");
    expect(typeof lane === "function" && lane(message("request_human_approval"))).toBeUndefined();
  });

  it("require of the documented tools what the API document marks, and no input with a default", async () => {
    const { items } = await send("GET", "/tools");
    const required = (tool: string) => items.find(({ name }: { name: string }) => name === tool).input_schema.required;
    expect(required("execute_playbook")).toEqual(["playbook_id", "alert_id"]);
    expect(required("request_human_approval")).toEqual(["action", "justification"]);
    expect(required("generate_report")).toBeUndefined();
    expect(findRequiredDefaults(items.map(({ input_schema }: { input_schema: object }) => input_schema))).toEqual([]);
  });

  it("treat null as absent in optional inputs", async () => {
    const report = await call("generate_report", { report_type: null, case_id, format: null });
    expect(report).toMatchObject({ status: "completed", error: null });
    expect(await call("create_case", { title: "x", severity: null, alert_ids: null, description: null })).toMatchObject(
      OK,
    );
  });

  it("list the tools that the caller and the agent may use", async () => {
    const all = await send("GET", "/tools");
    expect(all).toMatchObject({ total: 15, skip: 0, limit: 50, next_cursor: null });
    expect(all.items[0]).toMatchObject({
      name: "create_case",
      permission: "cases:write",
      changes: true,
      budget_ms: 15_000,
      input_schema: { type: "object", properties: { title: { type: "string" } } },
      output_schema: { properties: { case_id: { type: "string" }, error_code: expect.any(Object) } },
    });
    const names = async (query: string) =>
      (await send("GET", `/tools${query}`)).items.map(({ name }: { name: string }) => name);
    expect(await names("?agent_id=agent-014")).toEqual([
      "create_case",
      "execute_playbook",
      "generate_report",
      "get_alert",
      "get_case",
      "get_device",
      "list_alerts",
      "list_cases",
      "request_human_approval",
      "update_case",
    ]);
    expect(await names("?agent_id=FirmwareAgent")).not.toContain("lookup_ioc");
    const first = await send("GET", "/tools?limit=5");
    expect(await names(`?limit=50&cursor=${first.next_cursor}`)).toHaveLength(10);
    expect(await asAdmin("GET", "/tools?agent_id=agent-016")).toMatchObject({ status: 400 });
  });

  it("refuse the calls of an agent while it is disabled", async () => {
    const ask = () => call("get_alert", { alert_id, agent_id: "NetworkAgent" });
    await send("POST", "/agents/agent-009/disable");
    expect(await ask()).toEqual({ status: "error", error_code: "conflict", error: "agent 'NetworkAgent' is disabled" });
    await send("POST", "/agents/agent-009/enable");
    expect(await ask()).toMatchObject({ status: "completed" });
  });

  it("answer 404 for an unknown tool and 403 without the permission", async () => {
    expect(await asAdmin("POST", "/tools/get_nothing", {})).toMatchObject({ status: 404 });
    const payload = { username: "eve", password: "correct horse battery", role: "auditor" };
    await send("POST", "/users", payload);
    const signedIn = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
    const asAuditor = askAs(platform.app, { authorization: `Bearer ${signedIn.json().access_token}` });
    const refused = await asAuditor("POST", "/tools/create_case", {});
    expect(refused.status).toBe(403);
    expect(Object.keys(JSON.parse(refused.body))).toEqual(["detail"]);
    expect((await asAuditor("POST", "/tools/get_alert", { alert_id })).status).toBe(200);
  });

  it("answer invalid_input for a body that is not JSON", async () => {
    const headers = await signIn(platform.app);
    const sent = { method: "POST", url: "/api/v1/tools/create_case", headers } as const;
    const answer = await platform.app.inject({
      ...sent,
      payload: "{",
      headers: { ...headers, "content-type": "application/json" },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: "error", error_code: "invalid_input" });
  });
});
