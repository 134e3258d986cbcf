import { createClock } from "@kit/clock";
import { expect } from "vitest";
import { requestToken, type SocClient, type StartedSoc } from "./client.ts";
import type { TestDatabase } from "./database.ts";
import { sendBatch } from "./log-senders.ts";

const clock = createClock();
const SYSMON = "Microsoft-Windows-Sysmon/Operational";
const EXPLORER = "C:\\Windows\\explorer.exe";
const POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";
const WINWORD = "C:\\Program Files\\Office\\winword.exe";
const DUMP = "C:\\Users\\ada\\Downloads\\dump.exe";
const READY_MS = 60_000;
const AGENTS = Array.from({ length: 16 }, (_, index) => `agent-${String(index + 1).padStart(3, "0")}`);
/** The first fits no playbook, the second one that waits for an approval, the third one that starts. */
const TECHNIQUES = ["T1003.001", "T1486", "T1566.001"];

/**
 * Settings under which investigations can stand still in the database: as many sessions as agents that work at the same time,
 * each as long as all of them need to get there.
 */
export const STANDING = {
  SOC_LIMIT_INTAKE_PER_MINUTE: "1000000",
  SOC_AGENT_CASES: "on",
  ...{ SOC_DATABASE_CONNECTIONS: "10", SOC_WORKFLOW_CONNECTIONS: "8" },
  ...{ SOC_WORKER_DATABASE_CONNECTIONS: "55", SOC_WORKER_DATABASE_ANSWER_MS: "60000" },
};

/** Sysmon events of a document that starts PowerShell, which reaches another machine and dumps LSASS. */
function buildIntrusion(host: string): object[] {
  const startMs = clock.now().getTime() - 60_000;
  const event = (seconds: number, fields: object) => ({
    "@timestamp": new Date(startMs + seconds * 1000).toISOString(),
    ...{ Hostname: host, Channel: SYSMON, User: `CORP\\${host}`, ...fields },
  });
  const started = (seconds: number, [pid, image, line]: [number, string, string], parent: [number, string]) =>
    event(seconds, {
      ...{ EventID: 1, ProcessId: pid, ProcessGuid: `{${host}-${pid}}`, Image: image, CommandLine: line },
      ...{ LogonId: "0x51a2f", ParentProcessId: parent[0], ParentProcessGuid: `{${host}-${parent[0]}}` },
      ParentImage: parent[1],
    });
  return [
    started(0, [100, WINWORD, "winword.exe plan.docm"], [90, EXPLORER]),
    started(5, [4321, POWERSHELL, "powershell -enc SQBFAFgA"], [100, WINWORD]),
    event(8, {
      ...{ EventID: 3, ProcessId: 4321, ProcessGuid: `{${host}-4321}`, Image: POWERSHELL },
      ...{ SourceIp: "10.0.0.5", DestinationIp: "203.0.113.9", DestinationPort: 443 },
    }),
    started(20, [4400, DUMP, "dump.exe lsass"], [4321, POWERSHELL]),
  ];
}

/** How many investigations may run at a time. */
export async function setWidth({ ask }: SocClient, instances: number): Promise<void> {
  const { status } = await ask("PATCH", "/api/v1/agents/SupervisorAgent/scale", { instances });
  expect(status).toBe(200);
}

/** Parks investigations, and gives all other agents enough instances. From then on each alert is investigated. */
export async function parkInvestigations({ service, client }: StartedSoc): Promise<void> {
  await expect.poll(() => service.output(), { timeout: READY_MS }).toContain('"consumer":"investigations"');
  for (const agent of AGENTS) {
    const { status } = await client.ask("PATCH", `/api/v1/agents/${agent}/scale`, { instances: 10 });
    expect(status).toBe(200);
  }
  await setWidth(client, 0);
}

/** Stores an intrusion on each host, and raises its alert. Returns the ids of the investigations, which wait. */
export async function raiseIntrusions(
  { service, client }: StartedSoc,
  database: TestDatabase,
  hosts: readonly string[],
  severities: readonly string[] = ["critical"],
): Promise<string[]> {
  const token = await requestToken(client);
  const [first = ""] = hosts;
  for (const host of hosts)
    await sendBatch(() => ({ url: service.url, token }), `intrusion-${host}`, buildIntrusion(host));
  for (const [index, host] of hosts.entries()) {
    const findDump = async () => {
      const { body } = await client.get(`/siem/logs?query=${encodeURIComponent(`host:${host} dump.exe`)}`);
      return body.items?.[0]?.id;
    };
    await expect.poll(findDump, { timeout: READY_MS }).toBeTypeOf("string");
    const { status } = await client.post("/alerts", {
      ...{ title: `LSASS dump on ${host}`, source: "edr", host, user: host },
      severity: severities[index % severities.length],
      ...{ log_ids: [await findDump()], mitre_techniques: [TECHNIQUES[index % TECHNIQUES.length]] },
    });
    expect(status, first).toBe(201);
  }
  const titles = hosts.map((host) => `'LSASS dump on ${host}'`).join(", ");
  const list = () =>
    database.ask(`SELECT investigation_id FROM investigations JOIN alerts ON id = alert_id
      WHERE title IN (${titles}) ORDER BY alerts.created_at`);
  await expect.poll(list, { timeout: READY_MS }).toHaveLength(hosts.length);
  return list();
}

/** Summarises the investigations: one line for each distinct outcome, with its count. */
export function readOutcomes(database: TestDatabase, ids: readonly string[]): Promise<string[]> {
  const audited = (action: string) =>
    `(SELECT count(*) FROM audit_log WHERE action = '${action}' AND subject_id = i.investigation_id::text)`;
  return database.ask(`SELECT format('%s: %s, %s, verdict %s', count(*), outcome, ends, verdict) FROM (
      SELECT status || coalesce(' (' || error || ')', '') AS outcome, verdict,
        format('%s completed, %s failed', ${audited("investigation.completed")}, ${audited("investigation.failed")}) AS ends
      FROM investigations AS i WHERE investigation_id IN (${toList(ids)})
    ) AS ended GROUP BY outcome, ends, verdict`);
}

/** Everything that an investigation of an intrusion changes, and how often it was changed beyond once. */
export async function findRepeated(database: TestDatabase, ids: readonly string[]): Promise<string[]> {
  const about = `investigations AS i JOIN alerts AS a ON a.id = i.alert_id
    WHERE i.investigation_id IN (${toList(ids)})`;
  const audited = (action: string, subject: string) =>
    `(SELECT count(*) FROM audit_log WHERE action = '${action}' AND subject_id = ${subject}::text)`;
  const rows = (table: string, condition: string) => `(SELECT count(*) FROM ${table} WHERE ${condition})`;
  const isExpected = (technique: string) => `('${technique}' = ANY(a.mitre_techniques))::int`;
  const counts = [
    ["cases", rows("cases", "title = a.title"), "1"],
    ["links of the alert", audited("alert.linked", "a.id"), "1"],
    [
      "comments of the investigation",
      rows("case_comments", "body LIKE 'Investigation ' || i.investigation_id || '%'"),
      "1",
    ],
    ["reports", rows("reports", "case_id = i.case_id"), "1"],
    ["approvals", rows("approvals", "alert_id = a.id"), isExpected("T1486")],
    ["executions", rows("executions", "alert_id = a.id"), isExpected("T1566.001")],
    ["open runs of agents", rows("agent_runs", "investigation_id = i.investigation_id AND status = 'running'"), "0"],
  ];
  const found: string[] = [];
  for (const [what, counted, expected] of counts) {
    const wrong = await database.ask(
      `SELECT format('%s: %s ${what}, not %s', a.title, ${counted}, ${expected}) FROM ${about} AND ${counted} <> ${expected}`,
    );
    found.push(...wrong);
  }
  return found;
}

function toList(ids: readonly string[]): string {
  return ids.map((id) => `'${id}'`).join(", ");
}
