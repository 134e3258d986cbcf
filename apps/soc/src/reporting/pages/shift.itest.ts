import type { AddressInfo } from "node:net";
import process from "node:process";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startSharedLogStore } from "../../../testing/servers/shared-log-store.ts";

type Json = ReturnType<typeof JSON.parse>;

/** The work of an analyst in an hour. A build runs a tenth of it. */
const SHIFT = process.env.PROVE === "full" ? { alerts: 200, hunts: 10, cases: 5 } : { alerts: 20, hunts: 1, cases: 1 };
const MINUTES = 60;
/** The rate limit of the service for one caller. */
const LIMIT = 100;

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let logs: Awaited<ReturnType<typeof startSharedLogStore>>;
let owner: pg.Client;
let url: string;
let analyst: Record<string, string>;
const alert_ids: string[] = [];

beforeAll(async () => {
  const database = await freshDatabase();
  logs = await startSharedLogStore();
  const limits = { generalLimitPerMinute: LIMIT };
  platform = await wholePlatform("real", database.url, undefined, logs.logStore, limits);
  owner = new pg.Client(database.url);
  await owner.connect();
  const admin = await signIn(platform.app);
  const make = async (path: string, payload: object) => {
    const answer = await platform.app.inject({ method: "POST", url: `/api/v1${path}`, headers: admin, payload });
    expect([path, answer.statusCode]).toEqual([path, 201]);
    await owner.query("DELETE FROM request_counts");
    return answer.json();
  };
  for (let place = 0; place < SHIFT.alerts; place += 1) {
    const found = { source: "edr", host: `ws-${place % 7}`, user: `user-${place % 5}`, log_ids: [`log-${place}`] };
    alert_ids.push((await make("/alerts", { title: `Finding ${place}`, severity: "high", ...found })).id);
  }
  const user = { username: "noor", password: ADMIN_PASSWORD, role: "tier3" };
  await make("/users", user);
  const signedIn = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload: user });
  analyst = { authorization: `Bearer ${signedIn.json().access_token}` };
  await platform.app.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${(platform.app.server.address() as AddressInfo).port}/api/v1`;
});

afterAll(async () => {
  await owner.end();
  await platform.close();
  await logs.stop();
});

let sent = 0;

/** Sends one request of the console, which counts in the caller's rate limit. */
async function ask(method: string, path: string, body?: object): Promise<Json> {
  sent += 1;
  const json = { ...analyst, "content-type": "application/json" };
  const asked = { method, headers: body ? json : analyst, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`${url}${path}`, asked);
  const text = await answer.text();
  expect([method, path, answer.status < 300, text.slice(0, 300)]).toEqual([method, path, true, expect.any(String)]);
  expect(Number(answer.headers.get("ratelimit-limit"))).toBe(LIMIT);
  expect(Number(answer.headers.get("ratelimit-remaining"))).toBeGreaterThanOrEqual(0);
  return JSON.parse(text);
}

/** Opens a page of the console, which needs exactly this number of requests. */
async function open<Page>(requests: number, read: () => Promise<Page>): Promise<Page> {
  const before = sent;
  const page = await read();
  expect(sent - before).toBe(requests);
  return page;
}

const openQueue = () =>
  open(2, async () => {
    const filter = "status=new,triaged&sort=-severity";
    const queue = await ask("GET", `/alerts?${filter}&limit=50`);
    const summary = await ask("GET", `/alerts/summary?${filter}&fields=severity,status,host,user,rule_id`);
    expect(summary).toMatchObject({ buckets: expect.any(Array), facets: { severity: expect.any(Array) } });
    return queue;
  });

const openAlert = (id: string) =>
  open(1, async () => {
    const page = await ask("GET", `/alerts/${id}/full`);
    expect(page).toMatchObject({ alert: { id }, entities: {}, logs_total: 1 });
    const parts = ["rule", "logs", "endpoints", "iocs", "case", "related", "executions", "approvals", "history"];
    expect(Object.keys(page)).toEqual(expect.arrayContaining(parts));
    return page;
  });

const openEntity = (type: string, value: string) =>
  open(1, async () => {
    const page = await ask("GET", `/entities/${type}/${value}`);
    expect(page).toMatchObject({ entity: { type, value }, risk: { reasons: expect.any(Array) } });
    expect(page.alerts.total).toBeGreaterThan(0);
  });

const openSearch = (query: string) =>
  open(3, async () => {
    const window = `from=now-24h&query=${encodeURIComponent(query)}`;
    await ask("GET", `/siem/logs?${window}`);
    await ask("GET", `/siem/logs/histogram?${window}`);
    await ask("GET", `/siem/logs/facets?${window}&fields=host,user,source`);
  });

async function triage(place: number): Promise<void> {
  const id = alert_ids[place] ?? "";
  const { alert } = await openAlert(id);
  if (place % 4 === 0) await openEntity("host", alert.host);
  const isFalse = place % 3 !== 0;
  await ask("PATCH", `/alerts/${id}`, { status: isFalse ? "false_positive" : "investigating", assignee: "noor" });
}

async function hunt(turn: number): Promise<void> {
  for (const query of [`host:ws-${turn % 7}`, `host:ws-${turn % 7} user:user-1`, "process:powershell.exe"]) {
    await openSearch(query);
  }
  await openEntity("user", `user-${turn % 5}`);
}

async function work(turn: number): Promise<void> {
  const [first = "", ...more] = alert_ids.slice(turn * 3, turn * 3 + 3);
  const opened = await ask("POST", `/alerts/${first}/promote`, {});
  await ask("POST", `/cases/${opened.id}/alerts`, { alert_ids: more });
  const page = await open(1, () => ask("GET", `/cases/${opened.id}/full`));
  expect(page.alerts).toHaveLength(3);
  await ask("POST", `/cases/${opened.id}/comments`, { body: "The host was rebuilt." });
  await ask("POST", `/cases/${opened.id}/tasks`, { title: "Reset the password" });
  await ask("PATCH", `/cases/${opened.id}`, { status: "resolved" });
}

/** Plans one minute: the work is spread evenly, in addition to the open pages of a console. */
function planMinute(minute: number): (() => Promise<unknown>)[] {
  const due = (count: number) =>
    Array.from({ length: count }, (_, place) => place).filter(
      (place) => Math.floor((place * MINUTES) / count) === minute,
    );
  return [
    ...(minute === 0 ? [() => ask("GET", "/users/me"), () => ask("GET", "/dashboard/stats")] : []),
    ...(minute % 5 === 0 ? [openQueue, () => ask("GET", "/inbox/count")] : []),
    ...due(SHIFT.alerts).map((place) => () => triage(place)),
    ...due(SHIFT.hunts).map((turn) => () => hunt(turn)),
    ...due(SHIFT.cases).map((turn) => () => work(turn)),
  ];
}

it(`handles ${SHIFT.alerts} alerts, ${SHIFT.hunts} hunts and ${SHIFT.cases} cases below the rate limit of each minute`, {
  timeout: 900_000,
}, async () => {
  const minutes: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    // Each planned minute counts as over before the next starts, however fast the test is.
    await owner.query("DELETE FROM request_counts");
    const before = sent;
    for (const step of planMinute(minute)) await step();
    minutes.push(sent - before);
  }
  // Two consecutive minutes have fewer requests than the limit, so no window that starts within a minute exceeds it.
  const pairs = minutes.map((count, minute) => count + (minutes[minute + 1] ?? 0));
  console.log(`requests of a shift: ${sent}, most in a minute ${Math.max(...minutes)}, in two ${Math.max(...pairs)}`);
  expect(Math.max(...pairs)).toBeLessThanOrEqual(LIMIT);
  expect((await ask("GET", "/alerts?source=edr&status=new")).total).toBe(0);
});
