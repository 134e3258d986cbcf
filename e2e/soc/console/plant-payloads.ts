import { createClock } from "@kit/clock";
import type { Answer, SocClient } from "../client.ts";
import { PAYLOADS } from "./payloads.ts";
import { createRetryingClient, done } from "./retrying-client.ts";
import { disableAgents, type SeededRecords } from "./seed.ts";
import { enrolDevices, investigate, seedRecords } from "./seed-records.ts";

const clock = createClock();
const VISIBLE_MS = 60_000;
const WRITERS = 8;
/** An investigation takes seconds: one of so many texts is investigated. */
const INVESTIGATED_EACH = 8;

/** Each text with its number, by which it is found on a page. */
const MARKED = PAYLOADS.map(({ text }, at) => `${text} p${at}.`);

/** The same for every text, several at once; the results are in the order of the texts. */
async function forEachText<Result>(make: (text: string, at: number) => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  for (let first = 0; first < MARKED.length; first += WRITERS)
    made.push(...(await Promise.all(MARKED.slice(first, first + WRITERS).map((text, at) => make(text, first + at)))));
  return made;
}

/** The body of the answer; undefined where the service refuses such a text. */
async function doneOrRefused(asking: Promise<Answer>) {
  const answer = await asking;
  return answer.status === 400 ? undefined : done(Promise.resolve(answer));
}

/** Puts every payload into every field of text that the API takes. What is planted is furnished, so that every page has its ids. */
export async function plantPayloads(hasty: SocClient, devicesPort: number): Promise<Omit<SeededRecords, "as">> {
  const client = createRetryingClient(hasty);
  const investigationIds = [];
  for (const text of MARKED.filter((_, at) => at % INVESTIGATED_EACH === 0))
    investigationIds.push(await investigate(client, text));
  await disableAgents(client);
  const make = async (path: string, body: object): Promise<string> => (await done(client.post(path, body))).id;
  const logIds = await plantLogs(client);
  const ruleIds = await forEachText((text) =>
    make("/detections/rules", {
      name: text,
      description: text,
      query: "user:absent",
      tags: [text],
      sharing_mode: "team",
    }),
  );
  const alertIds = await forEachText((text, at) => plantAlert(client, text, logIds.slice(at, at + 1)));
  const caseIds = await forEachText((text) => make("/cases", { title: text, description: text, tags: [text] }));
  const huntIds = await forEachText((text) =>
    make("/siem/hunts", { title: text, description: text, tags: [text], sharing_mode: "team" }),
  );
  await forEachText((text) => make("/views", { page: "alerts", name: text.slice(0, 90), sharing_mode: "private" }));
  await forEachText((text, at) =>
    doneOrRefused(
      client.post(`/detections/rules/${ruleIds[at]}/suppressions`, {
        name: text,
        reason: text,
        criteria: { host: text },
        suppress_for_hours: 4,
      }),
    ),
  );
  const iocIds = await forEachText((text, at) =>
    make("/iocs", { value: `203.0.113.${at + 1}`, source: text.slice(0, 50), tags: [text.slice(0, 50)], force: true }),
  );
  const [caseId = ""] = caseIds;
  await plantInCase(client, caseId, alertIds);
  const { endpointIds, approvalIds, runIds, playbookIds } = await plantResponse(client, caseId);
  const deviceIds = await enrolDevices(client, devicesPort, MARKED);
  const { reportIds } = await seedRecords(client, { names: MARKED, caseId, playbookId: "pause-0" });
  return {
    ...{ alertIds, caseIds, huntIds, ruleIds, approvalIds, runIds, playbookIds, logIds, endpointIds, iocIds },
    ...{ deviceIds, reportIds, investigationIds },
  };
}

async function plantAlert(client: SocClient, text: string, log_ids: string[]): Promise<string> {
  await done(client.post("/sites", { name: text }));
  const { id } = await done(
    client.post("/alerts", {
      title: text,
      source: text,
      description: text,
      host: text,
      user: text,
      site: text,
      iocs: [text],
      mitre_techniques: [text.slice(0, 50)],
      tags: [text],
      severity: "critical",
      log_ids,
    }),
  );
  await done(client.patch(`/alerts/${id}`, { resolution: text }));
  return id;
}

const LOG_FIELDS = ["source", "host", "user", "process", "message", "action", "event_code", "outcome", "site"];

async function plantLogs({ post, get }: SocClient): Promise<string[]> {
  const now = clock.now().getTime();
  const events = MARKED.map((text, at) => ({
    ...Object.fromEntries(LOG_FIELDS.map((name) => [name, text])),
    timestamp: new Date(now - at * 1000).toISOString(),
    attributes: { [text]: text, nested: { [text]: [text] } },
  }));
  await done(post("/siem/ingest", events));
  const deadline = clock.deadline(VISIBLE_MS);
  for (;;) {
    const { items, total } = await done(get("/siem/logs?limit=200"));
    if (total >= MARKED.length) return items.map(({ id }: { id: string }) => id);
    await clock.sleep(200, deadline);
  }
}

async function plantInCase({ post }: SocClient, caseId: string, alertIds: readonly string[]): Promise<void> {
  const base = `/cases/${caseId}`;
  await done(post(`${base}/alerts`, { alert_ids: alertIds }));
  await forEachText((text) => done(post(`${base}/comments`, { body: text })));
  await forEachText((text) => done(post(`${base}/tasks`, { title: text })));
  await forEachText((text) =>
    doneOrRefused(post(`${base}/evidence`, { name: text, evidence_type: text.slice(0, 50), location: text })),
  );
  // One after another: the service takes few files at a time.
  for (const text of MARKED) await doneOrRefused(post(`${base}/files?name=${encodeURIComponent(text)}`, { text }));
  const observables = MARKED.map((text) => ({
    type: "other",
    value: text,
    source: text,
    tags: [text],
    context: { [text]: text },
  }));
  await done(post(`${base}/observables/bulk`, { observables }));
}

/** Creates playbooks, endpoints and approvals with the payload in every name and reason. */
async function plantResponse({ ask, post }: SocClient, case_id: string) {
  const endpointIds: string[] = [];
  const approvalIds: string[] = [];
  const runIds: string[] = [];
  const playbookIds: string[] = [];
  await forEachText(async (text, at) => {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    const heartbeat = { hostname: text, os: text.slice(0, 50), site: text.slice(0, 50) };
    if (!(await doneOrRefused(ask("PUT", `/api/v1/edr/endpoints/${id}`, heartbeat)))) return;
    endpointIds.push(id);
    const steps = [{ id: "cut", name: text, action: "edr.isolate", params: { endpoint: id, reason: text } }];
    const playbook = { name: text, description: text, steps };
    if (!(await doneOrRefused(ask("PUT", `/api/v1/soar/playbooks/payload-${at}`, playbook)))) return;
    approvalIds.push((await done(post(`/soar/playbooks/payload-${at}/execute`, { case_id }))).approval_id);
    const pause = { id: "pause", name: text, action: "wait", params: { seconds: 3600 } };
    await done(ask("PUT", `/api/v1/soar/playbooks/pause-${at}`, { name: text, description: text, steps: [pause] }));
    playbookIds.push(`pause-${at}`);
    runIds.push((await done(post(`/soar/playbooks/pause-${at}/execute`, { parameters: { text } }))).execution_id);
  });
  return { endpointIds, approvalIds, runIds, playbookIds };
}
