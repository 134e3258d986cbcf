import { randomUUID } from "node:crypto";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ContractPlatform, contractPlatform } from "../../../testing/contract/contract-platform.ts";
import { ADMIN_PASSWORD, wholeWorker } from "../../../testing/harness/whole-platform.ts";

const clock = createClock();
const SHARED_HOST = "core-db-02";

let platform: ContractPlatform;
let worker: Awaited<ReturnType<typeof wholeWorker>>;
let analystOfAlpha: Record<string, string>;
const sites = { alpha: { id: "", name: "Alpha" }, beta: { id: "", name: "Beta" } };

function playbook(id: string, steps: string, inputs = ""): string {
  return `id: ${id}\nname: ${id}\ndescription: Test playbook\n${inputs}steps:\n${steps}`;
}

const SEARCH = playbook(
  "search-user",
  `  - id: seen
    name: Search the user
    action: siem.search
    params: { match: { user: "{parameters.user}" } }
  - id: case
    name: Open a case
    action: case.create
    params: { title: "User {parameters.user} was seen {steps.seen.total} times", description: "Hosts: {steps.seen.hosts}" }
`,
  "inputs:\n  - { name: user, from: alert.user, description: User }\n",
);
const SCAN = playbook(
  "scan-host",
  `  - id: scan
    name: Scan the host
    action: edr.scan
    params: { endpoint: "{parameters.host}" }
`,
  "inputs:\n  - { name: host, from: alert.host, description: Host }\n",
);
const ISOLATE = SCAN.replaceAll("scan-host", "isolate-host").replace("edr.scan", "edr.isolate");
const LATER = SEARCH.replaceAll("search-user", "search-later").replace(
  "steps:\n",
  "steps:\n  - { id: pause, name: Pause, action: wait, params: { seconds: 3 } }\n",
);
const COMMENT = `${SEARCH.replaceAll("search-user", "comment-user")
  .slice(0, -1)
  .replace(/ {2}- id: case[\s\S]*/, "")}  - id: note
    name: Note
    action: case.comment
    params: { case_id: "{parameters.into}", body: "Hosts: {steps.seen.hosts}" }
`.replace("inputs:\n", "inputs:\n  - { name: into, description: Case }\n");
const COPY_CASE = playbook(
  "copy-case",
  `  - id: note
    name: Note the case
    action: alert.update
    params: { assignee: "{case.assignee}" }
`,
);

async function addEndpoint(site: string, hostname: string): Promise<string> {
  const id = randomUUID();
  await platform.send(`PUT /edr/endpoints/${id}`, { hostname, site, ip: "10.1.2.3" });
  return id;
}

async function automate(title: string, playbook_id: string, role = "admin") {
  const name = `${playbook_id}-${title}`;
  return platform.ask("POST /soar/automations", { name, condition: `title:${title}*`, playbook_id }, role);
}

async function reportAlert(alert: object, headers = analystOfAlpha): Promise<string> {
  const { status, body } = await platform.askWith(headers, "POST /alerts", {
    source: "edr",
    severity: "high",
    ...alert,
  });
  expect(status).toBe(201);
  return body.id;
}

async function waitForExecution(alert_id: string, ended = true) {
  return vi.waitFor(
    async () => {
      const { items } = await platform.send(`GET /soar/executions?alert_id=${alert_id}`);
      expect(items).toHaveLength(1);
      if (ended) expect(["completed", "failed", "partial"]).toContain(items[0].status);
      return platform.send(`GET /soar/executions/${items[0].execution_id}`);
    },
    { timeout: 60_000, interval: 200 },
  );
}

beforeAll(async () => {
  platform = await contractPlatform({ hasLogs: true });
  worker = await wholeWorker(platform.databaseUrl ?? "", platform.dataFolder, {}, platform.logStore);
  for (const site of Object.values(sites)) {
    site.id = (await platform.send("POST /sites", { name: site.name, profile: { asset_classes: ["it"] } })).id;
  }
  const limited = { username: "a3", password: ADMIN_PASSWORD, role: "tier3", sites: ["Alpha"] };
  await platform.send("POST /users", limited);
  const { access_token } = await platform.send("POST /auth/token", { username: "a3", password: ADMIN_PASSWORD });
  analystOfAlpha = { authorization: `Bearer ${access_token}` };
  for (const yaml of [SEARCH, SCAN, ISOLATE, COPY_CASE, LATER, COMMENT])
    await platform.send("POST /soar/playbooks/import", { yaml });
  const keyOfBeta = await platform.send("POST /api-keys", {
    name: "beta",
    scopes: ["siem:ingest"],
    sites: [sites.beta.id],
  });
  const logs = ["one", "two"].map((message) => ({ message, host: "bank-b", user: "bvip" }));
  await platform.askWith({ "x-api-key": keyOfBeta.key }, "POST /siem/ingest?source=test", logs);
  const deadline = clock.deadline(30_000);
  while ((await platform.send("GET /siem/logs?query=user:bvip")).total < 2 && !deadline.aborted) await clock.sleep(100);
}, 120_000);

afterAll(async () => {
  await worker.close();
  await platform.close();
});

describe("an automation that a caller of one site starts with an alert", () => {
  it("searches only the logs of that site", async () => {
    expect((await automate("leak", "search-user")).status).toBe(201);
    const alert_id = await reportAlert({ title: "leak of bvip", user: "bvip" });
    const { steps } = await waitForExecution(alert_id);
    expect(steps).toMatchObject([
      { status: "completed", result: { total: 0, hosts: [], users: [], log_ids: [] } },
      { error: null, status: "completed" },
    ]);
    const { body } = await platform.askWith(analystOfAlpha, "GET /cases");
    expect(JSON.stringify(body)).not.toContain("bank-b");
    expect(body.items).toMatchObject([{ title: "User bvip was seen 0 times" }]);
  });

  it("does not act on an endpoint of another site", async () => {
    const ofBeta = await addEndpoint("Beta", "beta-only-1");
    expect((await automate("scan", "scan-host")).status).toBe(201);
    const alert_id = await reportAlert({ title: "scan beta-only-1", host: "beta-only-1" });
    const { steps } = await waitForExecution(alert_id);
    expect(steps).toMatchObject([{ status: "failed", error: "endpoint 'beta-only-1' does not exist" }]);
    expect(await platform.send(`GET /edr/endpoints/${ofBeta}/actions`)).toMatchObject({ total: 0 });
  });

  it("reads nothing of a case that also has content of another site", async () => {
    expect((await automate("mixed", "copy-case")).status).toBe(201);
    const alert_id = await reportAlert({ title: "mixed case" });
    await waitForExecution(alert_id);
    const ofBeta = await platform.send("POST /alerts", {
      title: "other",
      source: "edr",
      severity: "low",
      site: "Beta",
    });
    const shared = await platform.send("POST /cases", {
      title: "both sites",
      severity: "high",
      assignee: "admin",
      alert_ids: [alert_id, ofBeta.id],
    });
    const { status, body } = await platform.ask("POST /soar/playbooks/copy-case/execute", { alert_id, dry_run: true });
    expect([status, shared.alert_ids ?? []]).toMatchObject([200, expect.anything()]);
    expect(JSON.stringify(body.preview.effects)).not.toContain('\\"admin\\"');
  });
});

describe("an execution of an earlier release, which stored no sites", () => {
  it("continues in the site of its alert", async () => {
    expect((await automate("later", "search-later")).status).toBe(201);
    const alert_id = await reportAlert({ title: "later bvip", user: "bvip" });
    const { execution_id } = await waitForExecution(alert_id, false);
    await platform.query("UPDATE executions SET sites = NULL WHERE execution_id = $1", [execution_id]);
    const { steps } = await waitForExecution(alert_id);
    expect(steps.find(({ step_id }: { step_id: string }) => step_id === "seen").result).toMatchObject({ total: 0 });
  });
});

describe("a playbook that a person starts for an alert of one site and a case of another", () => {
  async function execute(playbook_id: string, parameters = {}) {
    const [alert_id, case_id] = [await reportAlert({ title: `mix ${playbook_id}` }), await openCase("Beta")];
    await platform.send(`PATCH /cases/${case_id}`, { status: "closed" });
    const body = { alert_id, case_id, parameters: { user: "bvip", ...parameters } };
    await platform.send(`POST /soar/playbooks/${playbook_id}/execute`, body);
    const { steps } = await waitForExecution(alert_id);
    expect(steps).toMatchObject([{ result: { total: 2 } }, { error: null, status: "completed" }]);
  }

  async function openCase(site: string): Promise<string> {
    return (await platform.send("POST /cases", { title: `at ${site}`, severity: "high", site })).id;
  }

  it("hides the case that it opens from callers of one of the sites", async () => {
    await execute("search-user");
    const { body } = await platform.askWith(analystOfAlpha, "GET /cases");
    expect(JSON.stringify(body)).not.toContain("bank-b");
  });

  it("hides the case that it comments on from callers of one of the sites", async () => {
    const into = await openCase("Alpha");
    expect((await platform.askWith(analystOfAlpha, `GET /cases/${into}`)).status).toBe(200);
    await execute("comment-user", { into });
    expect((await platform.askWith(analystOfAlpha, `GET /cases/${into}`)).status).toBe(404);
  });
});

describe("a playbook that names an endpoint by its hostname", () => {
  it("isolates the endpoint of the alert's site and shows its id, site and address to the approver", async () => {
    const ofBeta = await addEndpoint("Beta", SHARED_HOST);
    const ofAlpha = randomUUID();
    const named = { hostname: SHARED_HOST, ip: "10.9.9.9" };
    expect((await platform.askWith(analystOfAlpha, `PUT /edr/endpoints/${ofAlpha}`, named)).status).toBe(201);
    const { id: alert_id } = await platform.send("POST /alerts", {
      ...{ title: "beacon", source: "edr", severity: "high" },
      ...{ host: SHARED_HOST, site: "Beta" },
    });
    const { approval_id } = await platform.send("POST /soar/playbooks/isolate-host/execute", { alert_id });
    expect((await platform.send(`GET /approvals/${approval_id}`)).effect).toMatchObject([
      { target: { kind: "endpoint", id: ofBeta, name: SHARED_HOST, site: "Beta", address: "10.1.2.3" } },
    ]);
    await platform.send(`POST /approvals/${approval_id}/decide`, { approved: true, reason: "confirmed" });
    await platform.send(`POST /soar/playbooks/isolate-host/execute?approval_id=${approval_id}`, { alert_id });
    await waitForExecution(alert_id);
    expect(await platform.send(`GET /edr/endpoints/${ofBeta}`)).toMatchObject({ isolation: { desired: "isolated" } });
    expect(await platform.send(`GET /edr/endpoints/${ofAlpha}`)).toMatchObject({ isolation: { desired: "normal" } });
  });

  it("asks again when the name belongs to another endpoint than the approved one", async () => {
    const first = await addEndpoint("Beta", "moved-host");
    const alert = { title: "moved", source: "edr", severity: "high", host: "moved-host", site: "Beta" };
    const { id: alert_id } = await platform.send("POST /alerts", alert);
    const { approval_id } = await platform.send("POST /soar/playbooks/isolate-host/execute", { alert_id });
    await platform.send(`POST /approvals/${approval_id}/decide`, { approved: true, reason: "confirmed" });
    await platform.send(`DELETE /edr/endpoints/${first}`);
    const second = await addEndpoint("Beta", "moved-host");
    const use = await platform.ask(`POST /soar/playbooks/isolate-host/execute?approval_id=${approval_id}`, {
      alert_id,
    });
    expect(use.status).toBe(409);
    expect(await platform.send(`GET /edr/endpoints/${second}/actions`)).toMatchObject({ total: 0 });
  });
});

describe("an automation", () => {
  it("starts no step that the person who bound it could not start", async () => {
    const { status } = await platform.ask("POST /soar/playbooks/scan-host/execute", {}, "manager");
    expect(status).toBe(403);
    expect((await automate("manager", "scan-host", "manager")).status).toBe(201);
    const ofAlpha = await addEndpoint("Alpha", "manager-host");
    const alert_id = await reportAlert({ title: "manager alert", host: "manager-host" });
    const { items: automations } = await platform.send("GET /soar/automations");
    const { id } = automations.find(({ name }: { name: string }) => name === "scan-host-manager");
    await vi.waitFor(
      async () =>
        expect(await platform.send(`GET /soar/automations/${id}/firings`)).toMatchObject({
          items: [{ alert_id, outcome: "refused", reason: expect.stringContaining("edr:manage") }],
        }),
      { timeout: 30_000, interval: 200 },
    );
    expect(await platform.send(`GET /edr/endpoints/${ofAlpha}/actions`)).toMatchObject({ total: 0 });
  });
});
