import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { DETECTION_BODIES, inHours } from "../fixtures/detections-samples.ts";
import { makeResponseWorld, RESPONSE_BODIES, RESPONSE_QUERIES } from "../fixtures/response-samples.ts";
import { STORED_LOG_ID } from "../servers/shared-log-store.ts";
import { ADMIN_PASSWORD } from "./whole-platform.ts";
import type { SendRequest, World } from "./world.ts";

const clock = createClock();

/** Sends requests below /api/v1 with the given headers. An event stream is closed at once. */
export function askAs(app: Frame, headers: Record<string, string>): SendRequest {
  return async (method, path, payload) => {
    const url = `/api/v1${path}`;
    const asked = { method: method as "GET", url, headers, ...(payload && { payload }) };
    const answer = await app.inject({ ...asked, payloadAsStream: true });
    if (answer.headers["content-type"] === "text/event-stream") {
      answer.stream().destroy();
      return { status: answer.statusCode, body: "" };
    }
    const chunks: Buffer[] = await answer.stream().toArray();
    return { status: answer.statusCode, body: Buffer.concat(chunks).toString("utf8") };
  };
}

/** Signs in, by default as the administrator, who is created when the database first becomes available. */
export async function signIn(app: Frame, username = "admin"): Promise<Record<string, string>> {
  const payload = { username, password: ADMIN_PASSWORD };
  const deadline = clock.deadline(10_000);
  for (;;) {
    const answer = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
    if (answer.statusCode === 200) return { authorization: `Bearer ${answer.json().access_token}` };
    if (deadline.aborted) throw new Error(`sign-in answered ${answer.statusCode} ${answer.body}`);
    await clock.sleep(100);
  }
}

const AGENT = "agent-001";
let made = 0;
const MAX_VIEWS = 50;
const madeViews: string[] = [];

/** Creates one object of each kind through the routes in real mode; response objects and an investigation only if needed. */
export async function makeWorld(ask: SendRequest, needsResponse = true, needsInvestigation = true): Promise<World> {
  made += 1;
  const add = async (path: string, payload: object) => {
    const { status, body } = await ask("POST", path, payload);
    if (status !== 201) throw new Error(`POST ${path} answered ${status} ${body}`);
    return JSON.parse(body);
  };
  const alert = await add("/alerts", { title: `finding ${made}`, source: "world" });
  const opened = await add("/cases", { title: `case ${made}` });
  const spare = await add("/cases", { title: `the same case ${made}` });
  const linked = await add("/alerts", { title: `linked ${made}`, source: "world" });
  await ask("POST", `/cases/${opened.id}/alerts`, { alert_ids: [linked.id] });
  const changed = await ask("POST", "/alerts/bulk", { ids: [linked.id], tags_add: ["seen"] });
  const evidence = await add(`/cases/${opened.id}/evidence`, { name: "disk", evidence_type: "image" });
  const file = await add(`/cases/${opened.id}/files?name=found.json`, { found: made });
  const template = await add("/case-templates", { name: `template ${made}`, tasks: [{ title: "look" }] });
  const observable = await add(`/cases/${opened.id}/observables`, { type: "ip", value: "192.0.2.1" });
  const comment = await add(`/cases/${opened.id}/comments`, { body: "seen" });
  const task = await add(`/cases/${opened.id}/tasks`, { title: "look" });
  const site = await add("/sites", { name: `site ${made}`, profile: { asset_classes: ["it"] } });
  // Separate from the other site, which can be deleted.
  const guarded = await add("/sites", { name: `guarded ${made}`, profile: { asset_classes: ["it"] } });
  const deployed = await ask("POST", `/agents/${AGENT}/deploy`, { site_id: guarded.id });
  if (deployed.status !== 200) throw new Error(`deploy answered ${deployed.status} ${deployed.body}`);
  const hunt = await add("/siem/hunts", { title: `hunt ${made}` });
  const rule = await add("/detections/rules", { name: `rule ${made}`, query: "user:absent-user" });
  // The second version, so that the first one can be restored.
  const tagged = await ask("PATCH", `/detections/rules/${rule.id}`, { tags: ["second"] });
  if (tagged.status !== 200) throw new Error(`PATCH of a rule answered ${tagged.status} ${tagged.body}`);
  const suppression = await add(`/detections/rules/${rule.id}/suppressions`, {
    name: "quiet",
    criteria: { host: "web-2" },
    suppress_for_hours: 2,
  });
  const exception = await add("/detections/exceptions", {
    scope: "rule",
    rule_id: rule.id,
    query: "host:web-2",
    reason: "a test",
    expires_at: inHours(2),
  });
  // There is no worker here, and each caller may have few unfinished backtests. Keeps only the first world's.
  const waiting = await ask("GET", "/detections/backtests?status=queued");
  const [, ...later] = JSON.parse(waiting.body).items.toReversed();
  for (const { id } of later) await ask("POST", `/detections/backtests/${id}/cancel`, {});
  const tested = await ask("POST", "/detections/backtests", { rule_id: rule.id });
  if (tested.status !== 202) throw new Error(`POST of a backtest answered ${tested.status} ${tested.body}`);
  const view = await add("/views", { page: "alerts", name: `view ${made}` });
  // Each user may have a hundred views.
  for (const id of madeViews.splice(1, Math.max(0, madeViews.length - MAX_VIEWS))) await ask("DELETE", `/views/${id}`);
  madeViews.push(view.id);
  const user = await add("/users", { username: `user-${made}`, password: ADMIN_PASSWORD, role: "tier1" });
  const key = await add("/api-keys", { name: `key-${made}`, scopes: ["alerts:write", "alerts:read"] });
  const investigated = async () => {
    const { body } = await ask("POST", "/agents/investigate", { alert_context: { alert_id: alert.id } });
    return { investigations: JSON.parse(body).investigation_id };
  };
  return {
    alerts: alert.id,
    linked: linked.id,
    changes: JSON.parse(changed.body).change_id,
    cases: opened.id,
    evidence: evidence.id,
    files: file.id,
    spare: spare.id,
    "case-templates": template.id,
    observables: observable.id,
    comments: comment.id,
    tasks: task.id,
    sites: site.id,
    agents: AGENT,
    guarded: guarded.id,
    hunts: hunt.id,
    rules: rule.id,
    versions: "1",
    diff: "1",
    suppressions: suppression.id,
    exceptions: exception.id,
    backtests: JSON.parse(tested.body).id,
    sources: "sensor",
    // The log that a shared log store contains at start.
    logs: STORED_LOG_ID,
    fields: "host",
    views: view.id,
    users: user.username,
    "api-keys": key.id,
    key: key.key,
    // The tree size of the first checkpoint; later entries are signed later.
    tree_size: "1",
    ...(needsResponse && (await makeResponseWorld(ask, made, opened.id))),
    ...(needsInvestigation && (await investigated())),
  };
}

/** Fills the ids of a world into a documented path: /cases/{case_id} becomes /cases/ and the id of its case. */
export function pathIn(path: string, world: World): string {
  const known: World = path.startsWith("/cases/") ? { ...world, alerts: world.linked ?? "" } : world;
  return path
    .replace("{type}/{value}", "host/ws1")
    .replace("{hash}", "ab".repeat(32))
    .replaceAll(/([a-z-]+)\/\{[a-z_]+\}/g, (_, noun: string) => `${noun}/${known[noun]}`);
}

/** Valid request bodies by documented route. */
export const BODIES: Readonly<Record<string, (world: World) => object>> = {
  ...DETECTION_BODIES,
  ...RESPONSE_BODIES,
  "POST /inbox/read": () => ({ all: true }),
  "POST /me/factors/totp": () => ({ current_password: ADMIN_PASSWORD }),
  "POST /me/factors/webauthn/options": () => ({ current_password: ADMIN_PASSWORD }),
  "POST /alerts": () => ({ title: `found ${Math.random()}`, source: "sensor" }),
  "PATCH /alerts/{alert_id}": () => ({ severity: "high" }),
  "POST /alerts/bulk": ({ alerts }) => ({ ids: [alerts], tags: ["seen"] }),
  "POST /alerts/undo": ({ changes }) => ({ change_id: changes }),
  "POST /cases/{case_id}/merge": ({ spare }) => ({ from: [spare] }),
  "POST /cases/{case_id}/alerts": ({ alerts }) => ({ alert_ids: [alerts] }),
  "POST /alerts/{alert_id}/promote": () => ({}),
  "POST /alerts/{alert_id}/case-link": ({ cases }) => ({ case_id: cases }),
  "POST /cases": () => ({ title: "new" }),
  "POST /case-templates": () => ({ name: `other ${Math.random()}` }),
  "PATCH /case-templates/{template_id}": () => ({ title_prefix: `[${Math.random()}] ` }),
  "PUT /case-sla": () => {
    const target = { respond_minutes: 1 + Math.floor(Math.random() * 1000), resolve_minutes: 2000 };
    return { info: target, low: target, medium: target, high: target, critical: target };
  },
  "PATCH /cases/{case_id}": () => ({ severity: "low" }),
  "POST /cases/{case_id}/observables": () => ({ type: "other", value: `seen ${Math.random()}` }),
  "PATCH /cases/{case_id}/observables/{observable_id}": () => ({ tags: ["seen"] }),
  "POST /cases/{case_id}/observables/bulk": () => ({
    observables: [{ type: "other", value: `seen ${Math.random()}` }],
  }),
  "POST /cases/{case_id}/evidence": () => ({ name: "memory", evidence_type: "dump" }),
  "POST /cases/{case_id}/evidence/{evidence_id}/custody": () => ({ action: "moved" }),
  "POST /cases/{case_id}/files": () => ({ found: Math.random() }),
  "POST /cases/{case_id}/comments": () => ({ body: "looked at" }),
  "PATCH /cases/{case_id}/comments/{comment_id}": () => ({ body: "looked at again" }),
  "POST /cases/{case_id}/tasks": () => ({ title: "next" }),
  "PATCH /cases/{case_id}/tasks/{task_id}": () => ({ status: "done" }),
  "POST /sites": () => ({ name: `other ${Math.random()}`, profile: { asset_classes: ["ot"] } }),
  "POST /agents/{id}/deploy": ({ sites }) => ({ site_id: sites }),
  "POST /agents/{id}/undeploy": ({ guarded }) => ({ site_id: guarded }),
  "PATCH /agents/{id}/scale": () => ({ instances: 2 }),
  "POST /chat/stream": () => ({ message: "what is new" }),
  "POST /agents/investigate": ({ alerts }) => ({ alert_context: { alert_id: alerts } }),
  "POST /siem/logs/get": ({ logs }) => ({ ids: [logs] }),
  "POST /siem/aggregate": () => ({ group_by: ["source"] }),
  "POST /siem/query/validate": () => ({ query: "user:root" }),
  "POST /siem/hunts": () => ({ title: "all of it", sharing_mode: "team" }),
  "PATCH /siem/sources/{source}": () => ({ watch: false }),
  "PATCH /siem/hunts/{hunt_id}": () => ({ query: "severity:>=high" }),
  "POST /siem/logs/{log_id}/promote": () => ({ create_case: true }),
  "POST /users": () => ({ username: `other-${Math.random()}`, password: ADMIN_PASSWORD, role: "auditor" }),
  "PATCH /users/{username}": () => ({ role: "tier2" }),
  "POST /views": () => ({ page: "alerts", name: "mine" }),
  "PATCH /views/{view_id}": () => ({ name: `mine ${Math.random()}` }),
  "POST /batch": () => ({ requests: [{ path: "/api/v1/alerts" }] }),
  "PUT /me/preferences": () => ({ theme: `dark ${Math.random()}` }),
  "POST /api-keys": () => ({ name: `other-${Math.random()}`, scopes: ["alerts:read"] }),
  "POST /auth/token": () => ({ username: "admin", password: ADMIN_PASSWORD }),
};

export const QUERIES: Readonly<Record<string, (world: World) => string>> = {
  ...RESPONSE_QUERIES,
  "GET /alerts/groups": () => "?by=host",
  "POST /cases/{case_id}/files": () => "?name=found.json",
  "GET /activity": ({ cases }) => `?subject_type=case&subject_id=${cases}`,
  "GET /search": () => "?q=ws-0142",
  "GET /entities": () => "?type=host",
  "GET /entities/graph": () => "?seed=host:ws1",
  "GET /siem/process-tree": () => "?host=srv-7",
  "GET /ledger/proof": ({ cases }) => `?case_id=${cases}&sequence=1`,
  "GET /ledger/bundle": ({ cases }) => `?case_id=${cases}`,
  "GET /ledger/consistency": ({ tree_size }) => `?from=${tree_size}&to=${tree_size}`,
  "GET /system/mode/proof": () => "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z",
};
