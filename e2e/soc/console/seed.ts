import { createClock } from "@kit/clock";
import { ADMIN_PASSWORD } from "../../services.ts";
import { createSocClient, requestToken, type SocClient } from "../client.ts";
import { createRetryingClient, done } from "./retrying-client.ts";
import { ALERT_KINDS, CASES, DEVICES, HOSTS, HUNTS, IOCS, makeLog, PEOPLE, RECORDS, SITES } from "./seed-data.ts";
import { enrolDevices, investigate, seedRecords } from "./seed-records.ts";

export interface SeedOptions {
  url: string;
  /** The address of the device server. */
  devicesPort: number;
  /** A client that is signed in as the administrator. */
  client: SocClient;
  alerts?: number;
  logs?: number;
}

/** The seeded users and records, by the ids from the service. */
export interface SeededRecords {
  alertIds: string[];
  /** The first has comments, tasks, evidence, observables and alerts; all are in the order of `CASES`. */
  caseIds: string[];
  huntIds: string[];
  ruleIds: string[];
  /** Pending; asked for by yara.haddad. */
  approvalIds: string[];
  /** The first waits, the second is over. */
  runIds: string[];
  playbookIds: string[];
  logIds: string[];
  endpointIds: string[];
  iocIds: string[];
  deviceIds: string[];
  reportIds: string[];
  investigationIds: string[];
  /** The same client with another user's token. */
  as: (username: string) => Promise<SocClient>;
}

const clock = createClock();
const VISIBLE_MS = 60_000;
const BATCH_SIZE = 500;
const WRITERS = 8;

/** Fills a SOC by its own API, as people, sensors and log shippers do. The same call gives the same records in the same order. */
export async function seed(options: SeedOptions): Promise<SeededRecords> {
  const { url, alerts = 80, logs = 300 } = options;
  const client = createRetryingClient(options.client);
  const as = async (username: string) =>
    createRetryingClient(createSocClient(url, await requestToken(createSocClient(url), username, ADMIN_PASSWORD)));
  const investigationIds = [await investigate(client, ALERT_KINDS[0]?.title ?? fail())];
  await disableAgents(client);
  await Promise.all(
    PEOPLE.map(({ username, role }) => {
      const email = `${username}@manara.example`;
      return done(client.post("/users", { username, role, email, password: ADMIN_PASSWORD }));
    }),
  );
  for (const name of SITES) await done(client.post("/sites", { name, profile: { asset_classes: ["it", "ot"] } }));
  const { endpointIds, ruleIds } = await addMachinesAndRules(client);
  await shipLogs(client, logs);
  const logIds = await untilSearchable(client, logs);
  const iocIds = await eachInTurn(IOCS, async (ioc) => (await done(client.post("/iocs", ioc))).id as string);
  const alertIds = await reportAlerts(client, alerts, logIds, ruleIds);
  const yara = await as("yara.haddad");
  const caseIds = await openCases(client, yara, alertIds);
  const huntIds = await eachInTurn(HUNTS, async (hunt) => (await done(yara.post("/siem/hunts", hunt))).id);
  const approvalIds = await askForApprovals(client, yara, { endpointIds, alertIds, caseIds });
  const runIds = await runPlaybooks(client, caseIds);
  const playbookIds = ["contain-0", "block-host"];
  const deviceIds = await enrolDevices(client, options.devicesPort, DEVICES);
  const records = { names: RECORDS, caseId: first(caseIds), playbookId: "note-case" };
  const { reportIds } = await seedRecords(client, records);
  return {
    ...{ alertIds, caseIds, huntIds, ruleIds, approvalIds, runIds, playbookIds, logIds, endpointIds, iocIds },
    ...{ deviceIds, reportIds, investigationIds, as },
  };
}

/** The agents look at every new alert by themselves: what people see would change while they look. */
export async function disableAgents(client: SocClient): Promise<void> {
  await Promise.all((await client.list("/agents")).map(({ id }) => done(client.post(`/agents/${id}/disable`, {}))));
}

async function eachInTurn<Item, Result>(items: readonly Item[], make: (item: Item, at: number) => Promise<Result>) {
  const made: Result[] = [];
  for (const [at, item] of items.entries()) made.push(await make(item, at));
  return made;
}

async function addMachinesAndRules(client: SocClient) {
  const endpointIds = await eachInTurn(HOSTS.slice(0, 6), async (hostname, at) => {
    const id = `00000000-0000-4000-8000-00000000000${at}`;
    const heartbeat = {
      hostname,
      os: "Windows 11",
      site: SITES[at % SITES.length],
      agent_version: "4.2",
      risk: at * 12,
    };
    await done(client.ask("PUT", `/api/v1/edr/endpoints/${id}`, heartbeat));
    return id;
  });
  const ruleIds = await eachInTurn(ALERT_KINDS, async ({ title, query, technique, severity }) => {
    const rule = { name: title, query, mitre_techniques: [technique], alert_severity: severity, sharing_mode: "team" };
    return (await done(client.post("/detections/rules", rule))).id as string;
  });
  await done(
    client.post(`/detections/rules/${ruleIds[0]}/suppressions`, {
      name: "Patch window of the kiosks",
      reason: "The update tool is signed and known",
      criteria: { host: "kiosk-07" },
      suppress_for_hours: 48,
    }),
  );
  return { endpointIds, ruleIds };
}

async function shipLogs({ post }: SocClient, count: number): Promise<void> {
  const now = clock.now().getTime();
  for (let first = 0; first < count; first += BATCH_SIZE) {
    const events = Array.from({ length: Math.min(BATCH_SIZE, count - first) }, (_, at) => makeLog(first + at, now));
    await done(post("/siem/ingest", events));
  }
}

/** Waits until the search finds the logs, and returns the ids of the newest. */
async function untilSearchable({ get }: SocClient, count: number): Promise<string[]> {
  if (count === 0) return [];
  const deadline = clock.deadline(VISIBLE_MS);
  for (;;) {
    const { items, total } = await done(get("/siem/logs?limit=50"));
    if (total >= Math.min(count, 1000)) return items.map(({ id }: { id: string }) => id);
    await clock.sleep(200, deadline);
  }
}

/** Every seventh report repeats the one before; some alerts are taken, resolved or false. */
async function reportAlerts(client: SocClient, count: number, logIds: readonly string[], ruleIds: readonly string[]) {
  const ids: string[] = new Array(count);
  const report = async (at: number) => {
    const { title, technique, severity, source } = ALERT_KINDS[at % ALERT_KINDS.length] ?? fail();
    const body = {
      title,
      source,
      severity,
      description: `Seen by rule ${ruleIds[at % ALERT_KINDS.length]}.`,
      host: HOSTS[(at * 7) % HOSTS.length],
      user: PEOPLE[(at * 3) % PEOPLE.length]?.username,
      site: SITES[at % SITES.length],
      mitre_techniques: [technique],
      iocs: [`203.0.113.${at % 250}`, `c2-${at}.example`],
      log_ids: logIds.slice(at % 20, (at % 20) + 3),
      risk_score: (at * 37) % 100,
      tags: at % 4 === 0 ? ["finance"] : [],
    };
    ids[at] = (await done(client.post("/alerts", body))).id;
    if (at % 7 === 6) await done(client.post("/alerts", body));
  };
  for (let first = 0; first < count; first += WRITERS)
    await Promise.all(Array.from({ length: Math.min(WRITERS, count - first) }, (_, at) => report(first + at)));
  const pick = (from: number) => ids.filter((_, at) => at % 11 === from);
  await done(
    client.post("/alerts/bulk", {
      ids: pick(1).slice(0, 100),
      status: "triaged",
      assignee: "layla.amari@manara.example",
    }),
  );
  await done(client.post("/alerts/bulk", { ids: pick(2).slice(0, 100), status: "investigating" }));
  await done(client.post("/alerts/bulk", { ids: pick(3).slice(0, 100), status: "resolved", verdict: "true_positive" }));
  await done(client.post("/alerts/bulk", { ids: pick(4).slice(0, 100), status: "false_positive" }));
  return ids;
}

async function openCases(client: SocClient, other: SocClient, alertIds: readonly string[]): Promise<string[]> {
  return eachInTurn(CASES, async ({ title, severity, status }, at) => {
    const alert_ids = alertIds.slice(at * 5, at * 5 + (at === 0 ? 5 : 2));
    const assignee = at % 2 === 0 ? "layla.amari@manara.example" : null;
    const { id } = await done(client.post("/cases", { title, severity, assignee, alert_ids, tags: ["finance"] }));
    if (at > 0 && status !== "open") await done(client.patch(`/cases/${id}`, { status }));
    if (at > 0) return id as string;
    const base = `/cases/${id}`;
    await done(
      client.post(`${base}/comments`, {
        body: "The parent was **winword.exe**.\n\n- opened from mail\n- `-enc` argument",
      }),
    );
    await done(other.post(`${base}/comments`, { body: "@layla.amari please look at the memory image." }));
    for (const [task, text] of ["Image the memory", "Reset the password", "Ask finance about the mail"].entries())
      await done(client.post(`${base}/tasks`, { title: text, status: task === 0 ? "done" : "todo" }));
    await done(
      client.post(`${base}/evidence`, { name: "lsass.dmp", evidence_type: "memory", sha256: "9f".repeat(32) }),
    );
    const observables = [
      { type: "ip", value: "203.0.113.24", source: "firewall", tags: ["c2"] },
      { type: "domain", value: "cdn-update.example" },
      { type: "hash", value: "ab".repeat(32) },
    ];
    await done(client.post(`${base}/observables/bulk`, { observables }));
    return id as string;
  });
}

interface RequestContext {
  endpointIds: readonly string[];
  alertIds: readonly string[];
  caseIds: readonly string[];
}

/** A playbook that isolates is critical: running it asks for approval first. Assignments and requests fill inboxes. */
async function askForApprovals(client: SocClient, yara: SocClient, { endpointIds, alertIds, caseIds }: RequestContext) {
  const put = (id: string, body: object) => done(client.ask("PUT", `/api/v1/soar/playbooks/${id}`, body));
  const note = {
    id: "note",
    name: "Write it down",
    action: "case.comment",
    params: { body: "Contained by playbook." },
  };
  await put("note-case", { name: "Note in the case", description: "Writes a comment.", steps: [note] });
  const ids: string[] = [];
  for (const [at, endpoint] of endpointIds.slice(0, 2).entries()) {
    const isolate = { id: "cut", name: "Isolate the host", action: "edr.isolate", params: { endpoint } };
    const undo = { compensate: { action: "edr.unisolate", params: { endpoint } } };
    const name = `Contain ${HOSTS[at]}`;
    await put(`contain-${at}`, { name, description: "Cuts the host off.", steps: [{ ...isolate, ...undo }] });
    const asked = await done(
      yara.post(`/soar/playbooks/contain-${at}/execute`, { alert_id: alertIds[at], case_id: caseIds[0] }),
    );
    ids.push(asked.approval_id);
  }
  return ids;
}

async function runPlaybooks(client: SocClient, [case_id]: readonly string[]) {
  const steps = [
    { id: "look", name: "Look at the logs of the host", action: "siem.search", params: { match: { host: HOSTS[0] } } },
    { id: "agree", name: "Ask before it is blocked", action: "approval.request", params: { action: "Block the host" } },
    { id: "note", name: "Write it down", action: "case.comment", params: { body: "Blocked by playbook." } },
  ];
  await done(client.ask("PUT", "/api/v1/soar/playbooks/block-host", { name: "Block a host", steps }));
  const run = async (id: string) =>
    (await done(client.post(`/soar/playbooks/${id}/execute`, { case_id }))).execution_id;
  return [await run("block-host"), await run("note-case")];
}

function first([id]: readonly string[]): string {
  return id ?? fail();
}

function fail(): never {
  throw new Error("a part of the furniture is missing");
}
