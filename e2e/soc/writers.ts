import { createClock } from "@kit/clock";
import type { Answer, SocClient } from "./client.ts";

/** An append-only list: the names that were sent and those that were acknowledged. */
interface Names {
  acknowledged: Set<string>;
  sent: Set<string>;
}

/** A field that is overwritten repeatedly: an unacknowledged value may or may not be stored. */
interface Field {
  acknowledged: string | null;
  unacknowledged: Set<string>;
}

/** All changes that the writers have sent, with what was acknowledged. */
export interface Memory {
  /** How often each finding was reported, by the title of its alert. */
  reports: Map<string, { acknowledged: number; sent: number }>;
  /** Keyed by the path of the list. */
  lists: Map<string, Names>;
  /** The assignee of each record, by its path. */
  assignees: Map<string, Field>;
}

/** The answers to the changes. */
export interface Tally {
  /** The number per status; `none` counts connections that broke before an answer. */
  statuses: Map<number | "none", number>;
  acknowledged: number;
  slowestMs: number;
}

const clock = createClock();
const PAUSE_MS = 20;
const SOURCE = "writer";
const NAME_FIELDS = { cases: "title", evidence: "name", comments: "body" } as const;

export const createMemory = (): Memory => ({ reports: new Map(), lists: new Map(), assignees: new Map() });
export const createTally = (): Tally => ({ statuses: new Map(), acknowledged: 0, slowestMs: 0 });

export function formatTally({ statuses, acknowledged }: Tally): string {
  const counts = [...statuses].map(([status, times]) => `${times} × ${status}`);
  return `${acknowledged} acknowledged changes (${counts.join(", ")})`;
}

export interface WriterContext {
  client: SocClient;
  memory: Memory;
  tally: Tally;
  /** The prefix of every name, so that names of writers differ. */
  name: string;
  /** A case that several writers change. */
  sharedCase: string;
  until: AbortSignal;
}

/** Opens the case that several writers share. */
export async function openSharedCase({ post }: SocClient, memory: Memory): Promise<string> {
  const title = "shared";
  memory.lists.set("/cases", { acknowledged: new Set([title]), sent: new Set([title]) });
  return (await post("/cases", { title })).body.id;
}

/** The cases with acknowledged evidence, and so with a ledger; newest last. */
export function casesWithEvidence({ lists }: Memory): string[] {
  return [...lists].flatMap(([path, { acknowledged }]) => {
    const [, id] = /^\/cases\/(.+)\/evidence$/.exec(path) ?? [];
    return id !== undefined && acknowledged.size > 0 ? [id] : [];
  });
}

/** Reports alerts and changes cases until it is aborted, and records what was acknowledged. */
export async function keepWriting(writing: WriterContext): Promise<void> {
  await Promise.all([
    repeat(writing.until, (round) => workOnAlert(writing, `${writing.name} alert ${round}`)),
    repeat(writing.until, (round) => workOnCase(writing, `${writing.name} case ${round}`)),
    repeat(writing.until, (round) => addToCase(writing, writing.sharedCase, `${writing.name} item ${round}`)),
  ]);
}

async function repeat(until: AbortSignal, work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; !until.aborted; round += 1) {
    await work(round);
    await clock.sleep(PAUSE_MS);
  }
}

/** Each step returns whether it was acknowledged; after an unacknowledged step, the rest is skipped. */
async function workOnAlert(writing: WriterContext, title: string): Promise<boolean> {
  const alert = await report(writing, title);
  if (!alert) return false;
  const path = `/alerts/${alert.body.id}`;
  return (await assign(writing, path, `${title} first`)) && Boolean(await report(writing, title));
}

async function workOnCase(writing: WriterContext, title: string): Promise<boolean> {
  const opened = await add(writing, "/cases", title);
  if (!opened) return false;
  const { id } = opened.body;
  return (await addToCase(writing, id, title)) && (await assign(writing, `/cases/${id}`, title));
}

async function addToCase(writing: WriterContext, caseId: string, name: string): Promise<boolean> {
  const evidence = await add(writing, `/cases/${caseId}/evidence`, name, { evidence_type: "disk image" });
  return Boolean(evidence && (await add(writing, `/cases/${caseId}/comments`, name)));
}

async function report(writing: WriterContext, title: string): Promise<Answer | undefined> {
  const { client, memory, tally } = writing;
  const reports = memory.reports.get(title) ?? { acknowledged: 0, sent: 0 };
  memory.reports.set(title, reports);
  reports.sent += 1;
  const answer = await attempt(tally, () => client.post("/alerts", { title, source: SOURCE }));
  if (answer) reports.acknowledged += 1;
  return answer;
}

async function add(writing: WriterContext, list: string, name: string, fields = {}): Promise<Answer | undefined> {
  const { client, memory, tally } = writing;
  const names = memory.lists.get(list) ?? { acknowledged: new Set(), sent: new Set() };
  memory.lists.set(list, names);
  names.sent.add(name);
  const answer = await attempt(tally, () => client.post(list, { [findNameField(list)]: name, ...fields }));
  if (answer) names.acknowledged.add(name);
  return answer;
}

async function assign(writing: WriterContext, path: string, assignee: string): Promise<boolean> {
  const { client, memory, tally } = writing;
  const field = memory.assignees.get(path) ?? { acknowledged: null, unacknowledged: new Set() };
  memory.assignees.set(path, field);
  field.unacknowledged.add(assignee);
  const answer = await attempt(tally, () => client.patch(path, { assignee }));
  if (answer) memory.assignees.set(path, { acknowledged: assignee, unacknowledged: new Set() });
  return answer !== undefined;
}

/** Returns the answer if the change was acknowledged. */
async function attempt(tally: Tally, send: () => Promise<Answer>): Promise<Answer | undefined> {
  const answer = await send().catch(() => undefined);
  const status = answer?.status ?? "none";
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  tally.slowestMs = Math.max(tally.slowestMs, answer?.tookMs ?? 0);
  if (!answer || answer.status >= 300) return undefined;
  tally.acknowledged += 1;
  return answer;
}

function findNameField(list: string): string {
  const kind = list.split("/").at(-1);
  if (kind === "cases" || kind === "evidence" || kind === "comments") return NAME_FIELDS[kind];
  throw new Error(`nothing in ${list} has a name`);
}

/** Describes every difference between stored and acknowledged data; empty when nothing is lost or invented. */
export async function findLost(client: SocClient, memory: Memory): Promise<string[]> {
  // The platform may also raise alerts, for example about lagging detection.
  const alerts = (await client.list("/alerts")).filter(({ source }) => source === SOURCE);
  const lost = findLostReports(alerts, memory);
  for (const [list, names] of memory.lists) lost.push(...findLostNames(list, await client.list(list), names));
  const cases = await client.list("/cases");
  const assigneeByPath = new Map<string, string | null>([
    ...alerts.map(({ id, assignee }) => [`/alerts/${id}`, assignee] as const),
    ...cases.map(({ id, assignee }) => [`/cases/${id}`, assignee] as const),
  ]);
  for (const [path, { acknowledged, unacknowledged }] of memory.assignees) {
    const kept = assigneeByPath.get(path) ?? null;
    if (kept !== acknowledged && !unacknowledged.has(String(kept))) lost.push(`${path} is assigned to ${kept}`);
  }
  return lost;
}

function findLostReports(alerts: { title: string; occurrence_count: number }[], { reports }: Memory): string[] {
  const lost: string[] = [];
  const counts = new Map(alerts.map(({ title, occurrence_count }) => [title, occurrence_count]));
  if (counts.size < alerts.length) lost.push("two alerts are the same");
  for (const [title, { acknowledged, sent }] of reports) {
    const count = counts.get(title) ?? 0;
    if (count < acknowledged || count > sent) lost.push(`${title}: ${count} kept of ${acknowledged} to ${sent}`);
  }
  for (const title of counts.keys()) if (!reports.has(title)) lost.push(`${title} was never reported`);
  return lost;
}

function findLostNames(list: string, items: Record<string, string>[], { acknowledged, sent }: Names): string[] {
  const field = findNameField(list);
  const kept = items.map((item) => item[field] ?? "");
  const found = new Set(kept);
  return [
    ...(found.size < kept.length ? [`${list} has something twice`] : []),
    ...[...acknowledged].filter((name) => !found.has(name)).map((name) => `${list} has lost ${name}`),
    ...[...found].filter((name) => !sent.has(name)).map((name) => `${list} has ${name}, which no writer sent`),
  ];
}
