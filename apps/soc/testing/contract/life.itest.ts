import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NO_RESPONSE_SETTINGS, wholeWorker } from "../harness/whole-platform.ts";
import { startAdapter } from "../servers/edr-adapter.ts";
import { sampleLog } from "../servers/log-engine.ts";
import { type ContractPlatform, contractPlatform } from "./contract-platform.ts";

type Json = ReturnType<typeof JSON.parse>;

/** How often each record lives its whole life, with agents that open cases and with agents that do not. */
const LIVES = process.env.PROVE === "full" ? 200 : 3;
const LIFE_MS = 60_000;
const WAIT = { timeout: LIFE_MS, interval: 50 };
const RELEASED_PLAYBOOKS = 10;
const clock = createClock();
const ids = createIds(clock);

describe.each([
  ["open cases", true],
  ["open no cases", false],
])("the documented life of every record beside agents that %s", (_what, agentCases) => {
  let platform: ContractPlatform;
  let worker: Awaited<ReturnType<typeof wholeWorker>>;
  let adapter: Awaited<ReturnType<typeof startAdapter>>;

  beforeAll(async () => {
    adapter = await startAdapter();
    const response = { ...NO_RESPONSE_SETTINGS, edrUrl: adapter.url, edrKeyFile: adapter.keyFile, agentCases };
    platform = await contractPlatform({ hasLogs: true, changed: { response } });
    const { databaseUrl = "", dataFolder, logStore } = platform;
    worker = await wholeWorker(databaseUrl, dataFolder, { response }, logStore);
    const { items: agents } = await platform.send("GET /agents?limit=200");
    for (const { id } of agents) {
      await platform.send(`POST /agents/${id}/enable`);
      await platform.send(`PATCH /agents/${id}/scale`, { instances: 4 });
    }
    await vi.waitFor(async () => {
      expect((await platform.send("GET /soar/playbooks?limit=200")).total).toBe(RELEASED_PLAYBOOKS);
      expect(await platform.query("SELECT FROM stream_cursors WHERE consumer = 'investigations'")).toHaveLength(1);
    }, WAIT);
  }, 180_000);
  afterAll(async () => {
    await worker.close();
    await platform.close();
    await adapter.close();
  });

  const lives = Array.from({ length: LIVES }, (_, life) => life);

  /** Sends a request that must have this status. */
  async function expectStatus(status: number, request: string, payload?: unknown, role?: string): Promise<Json> {
    const answer = await platform.ask(request, payload, role);
    expect({ request, status: answer.status, body: answer.body }).toMatchObject({ request, status });
    return answer.body;
  }

  async function store(host: string, message: string): Promise<string> {
    const now = clock.now().toISOString();
    const id = ids.next();
    const attributes = { Image: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe", ProcessId: "4321" };
    const fields = { source: "life", host, message, severity: "high" as const, attributes };
    await platform.logStore.insert([sampleLog({ id, timestamp: now, ingested_at: now, ...fields })], { token: id });
    return id;
  }

  /** A critical alert whose log shows a script host, which agents judge malicious. */
  async function report(title: string, host: string) {
    const log_ids = [await store(host, title)];
    const body = {
      title,
      source: "life",
      severity: "critical",
      host,
      user: "ada",
      iocs: [`${host}.example.com`],
      log_ids,
    };
    return { body, alert: await expectStatus(201, "POST /alerts", body) };
  }

  async function awaitInvestigation(alert_id: string): Promise<void> {
    const findEnded = async () => (await platform.send(`GET /agents/investigations?alert_id=${alert_id}`)).items[0];
    await expect.poll(findEnded, WAIT).toMatchObject({ status: "completed", verdict: "malicious" });
  }

  it.each(lives)(
    "answers every step of alert %i as documented",
    async (life) => {
      const { alert, body } = await report(`Beacon ${life}`, `ws-a${life}`);
      const again = await platform.ask("POST /alerts", { ...body, iocs: body.iocs.toReversed() });
      expect([again.status < 300, again.body.id]).toEqual([true, alert.id]);
      expect(await expectStatus(200, `PATCH /alerts/${alert.id}`, { status: "triaged" })).toMatchObject({
        status: "triaged",
      });
      // Before, during and after the work of the agents.
      if (life % 3 !== 0) await awaitInvestigation(alert.id);
      const promote = { description: "Seen by a person", assignee: "layla" };
      const opened = await expectStatus(201, `POST /alerts/${alert.id}/promote`, promote);
      expect(opened).toMatchObject({ status: "open", ...promote });
      const linked = await expectStatus(200, `GET /alerts/${alert.id}`);
      expect(linked).toMatchObject({ status: "investigating", case_id: opened.id });
      const other = await expectStatus(201, "POST /cases", { title: `Other ${life}`, severity: "high" });
      await expectStatus(200, `POST /alerts/${alert.id}/case-link`, { case_id: other.id });
      expect(await expectStatus(200, `GET /alerts/${alert.id}`)).toMatchObject({ case_id: other.id });
      await awaitInvestigation(alert.id);
      await expectStatus(200, `DELETE /cases/${other.id}`);
      await expectStatus(404, `GET /cases/${other.id}`);
      expect(await expectStatus(200, `GET /alerts/${alert.id}`)).toMatchObject({ status: "triaged", case_id: null });
    },
    2 * LIFE_MS,
  );

  it.each(lives)(
    "answers every step of case %i as documented",
    async (life) => {
      const { alert } = await report(`Dump ${life}`, `ws-c${life}`);
      const fields = { title: `Case ${life}`, severity: "high", description: "By hand", assignee: "layla" };
      const { id, ...opened } = await expectStatus(201, "POST /cases", { ...fields, alert_ids: [alert.id] });
      expect(opened).toMatchObject({ ...fields, status: "open" });
      const at = `/cases/${id}`;
      const observable = {
        type: "domain",
        value: `c${life}.example.com`,
        source: "life",
        tags: ["c2"],
        context: { seen: life },
      };
      expect(await expectStatus(201, `POST ${at}/observables`, observable)).toMatchObject(observable);
      const evidence = { name: "disk", evidence_type: "disk", sha256: "a".repeat(64), location: "safe" };
      const entries = { custody_entries: [{ action: "collected", by: "ann" }] };
      const registered = await expectStatus(201, `POST ${at}/evidence`, { ...evidence, ...entries });
      expect(registered).toMatchObject({ ...evidence, ledger: { sequence: expect.any(Number) } });
      expect(registered).toMatchObject(entries);
      await expectStatus(201, `POST ${at}/evidence/${registered.id}/custody`, { action: "sealed" });
      expect(await expectStatus(201, `POST ${at}/comments`, { body: "Noted" })).toMatchObject({ body: "Noted" });
      const task = await expectStatus(201, `POST ${at}/tasks`, { title: "Call" });
      const done = { status: "done", assignee: "noor" };
      expect(await expectStatus(200, `PATCH ${at}/tasks/${task.id}`, done)).toMatchObject(done);
      const detail = await expectStatus(200, `GET ${at}`);
      for (const list of ["timeline", "observables", "evidence", "comments", "tasks"])
        expect(detail[list]).not.toEqual([]);
      const waiting = { status: "pending_approval", requires_human_approval: true };
      expect(await expectStatus(200, `PATCH ${at}`, waiting)).toMatchObject(waiting);
      await platform.send(`PUT /edr/endpoints/${ids.next()}`, { hostname: `ws-c${life}` });
      const execute = { alert_id: alert.id, case_id: id };
      const { approval_id } = await platform.send("POST /soar/playbooks/ransomware-host/execute", execute, "responder");
      await expectStatus(200, `POST /approvals/${approval_id}/decide`, { approved: false, reason: "no" }, "manager");
      expect(await expectStatus(200, `GET ${at}`)).toMatchObject({ status: "open" });
      await expectStatus(200, `DELETE ${at}`);
    },
    LIFE_MS,
  );

  it.each(lives)(
    "answers every step of critical playbook %i as documented",
    async (life) => {
      const host = `ws-p${life}`;
      await platform.send(`PUT /edr/endpoints/${ids.next()}`, { hostname: host });
      const { alert } = await report(`Ransomware ${life}`, host);
      const path = life % 2 === 0 ? "/soar/playbooks" : "/playbooks";
      const execute = `POST ${path}/ransomware-host/execute`;
      const requested = await platform.send(execute, { alert_id: alert.id }, "responder");
      expect(requested).toMatchObject({
        playbook_id: "ransomware-host",
        status: "pending_approval",
        requires_approval: true,
      });
      const { approval_id } = requested;
      const decision = { approved: true, reason: "seen" };
      expect(await expectStatus(200, `POST /approvals/${approval_id}/decide`, decision, "manager")).toMatchObject({
        id: approval_id,
        status: "approved",
      });
      const started = await platform.send(`${execute}?approval_id=${approval_id}`, { alert_id: alert.id }, "responder");
      expect(started).toMatchObject({ execution_id: expect.any(String) });
      const findStatus = async () => {
        const { items } = await platform.send("GET /soar/executions?limit=200");
        return items.find(({ execution_id }: Json) => execution_id === started.execution_id)?.status;
      };
      await expect.poll(findStatus, WAIT).toBe("completed");
      expect(adapter.performedActions().filter((line) => line.startsWith("isolate "))).toHaveLength(life + 1);
    },
    2 * LIFE_MS,
  );

  it.each(lives)(
    "answers every step of rule %i as documented",
    async (life) => {
      const host = `ws-r${life}`;
      const log_id = await store(host, `calls home ${life}`);
      const rule = await expectStatus(201, "POST /detections/rules", {
        ...{ name: `Home ${life}`, query: `message:"calls home ${life}"`, alert_severity: "critical" },
        ...{ alert_title_template: "{rule_name} on {host}", sharing_mode: "team", auto_create_case: life % 2 === 0 },
      });
      const at = `/detections/rules/${rule.id}`;
      const { run, ...found } = await platform.send(`POST ${at}/run`, {});
      expect(found).toMatchObject({ rule: { id: rule.id }, total: 1, suppressed_count: 0, logs: [{ id: log_id }] });
      expect(run).toMatchObject({
        trigger_mode: "manual",
        status: "completed",
        match_count: 1,
        sample_log_ids: [log_id],
      });
      expect((await platform.send(`GET ${at}/runs`)).items).toMatchObject([{ id: run.id }]);
      const suppression = { name: "quiet", reason: "a scanner", criteria: { host }, suppress_for_hours: 1 };
      expect(await expectStatus(201, `POST ${at}/suppressions`, suppression)).toMatchObject(suppression);
      await expectStatus(409, `POST /siem/logs/${log_id}/promote`, { rule_id: rule.id, create_case: true });
      expect(await platform.send(`POST ${at}/run`, {})).toMatchObject({ suppressed_count: 1 });
      const feedback = { verdict: "false_positive", siem_log_id: log_id, notes: "a scanner", metadata: { life } };
      expect(await expectStatus(201, `POST ${at}/feedback`, feedback)).toMatchObject(feedback);
      const metrics = await platform.send("GET /detections/metrics");
      expect(metrics.total_rules).toBeGreaterThan(life);
      expect(metrics.noisiest_rules).toEqual(expect.any(Array));
    },
    LIFE_MS,
  );

  it.each(lives)(
    "answers every step of device %i as documented",
    async (life) => {
      const id = ids.next();
      const [name, serial] = [`player-${life}`, id.replaceAll("-", "")];
      await platform.query(
        `INSERT INTO devices (id, name, type, verdict, attested_at, enrolled_at, last_seen) VALUES ($1, $2, 'player', 'failed', now(), now(), now())`,
        [id, name],
      );
      await platform.query(
        `INSERT INTO device_certificates (serial, device_id, fingerprint, key_hash, issued_at, not_after)
        VALUES ($1, $2, $1, $1, now(), now() + interval '1 year')`,
        [serial, id],
      );
      await platform.query(
        `INSERT INTO attestations (id, device_id, kind, verdict, reason, at) VALUES ($1, $2, 'tpm', 'failed', 'seen', now())`,
        [ids.next(), id],
      );
      const devices = await platform.send("GET /cps/devices?limit=200");
      expect(devices.items).toContainEqual(expect.objectContaining({ id, name, status: "active" }));
      const { items } = await platform.send("GET /cps/attestations?limit=200");
      expect(items).toContainEqual(expect.objectContaining({ device_id: id, verdict: "failed" }));
      await expectStatus(200, `POST /cps/devices/${id}/revoke`);
      const findCertificate = async () => (await platform.send(`GET /cps/devices/${id}`)).certificate;
      await expect.poll(findCertificate, WAIT).toMatchObject({ status: "revoked" });
    },
    LIFE_MS,
  );

  it("contains cases of agents only if the operator allows them", async () => {
    const rows = await platform.query(
      "SELECT count(*)::int AS n FROM case_timeline WHERE agent LIKE 'agent:%' AND action LIKE 'case opened%'",
    );
    expect(Number(rows[0]?.n) > 0).toBe(agentCases);
  });
});
