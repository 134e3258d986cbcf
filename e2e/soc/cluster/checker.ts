// Checks whether a cluster kept what it acknowledged. It shares no code with the product: it reads the log stores over
// plain HTTP and the public API with fetch, and relies only on documented behaviour.

import { setTimeout } from "node:timers/promises";

/** A log as its sender created it. */
export interface SentLog {
  id: string;
  source: string;
  host: string;
  message: string;
  isAcknowledged: boolean;
}

export interface CheckedRule {
  id: string;
  /** A log with this word in its message matches. */
  word: string;
  title: (host: string) => string;
  /** How many logs of one host make a finding; 1 for a rule that evaluates each log on its own. */
  count: number;
}

export interface CheckInput {
  sent: readonly SentLog[];
  rules: readonly CheckedRule[];
  /** The address of a working API process. */
  api: string;
  token: string;
  stores: readonly string[];
}

export interface Verdict {
  acknowledged: number;
  stored: number;
  unknown: string[];
  lost: string[];
  doubled: string[];
  /** Logs that a search by the API does not find, or finds twice, though the stores hold them once. */
  notServed: string[];
  expectedAlerts: number;
  missedAlerts: string[];
  doubledAlerts: string[];
  unexpectedAlerts: string[];
  expectedMatches: number;
  missedMatches: string[];
  doubledMatches: string[];
  unexpectedMatches: string[];
  deadLetters: number;
  ledgerAlarm: unknown;
}

interface StoredLog {
  id: string;
  user: string;
  host: string;
  message: string;
}

type Json = ReturnType<typeof JSON.parse>;
const PAGE = 200;
const ANSWER_MS = 120_000;
const REPEAT_MS = 1000;
const MAX_TRIES = 60;

export async function check({ sent, rules, api, token, stores }: CheckInput): Promise<Verdict> {
  const ask = createAsk(api, token);
  const stored = (await Promise.all(stores.map(readStore))).flat();
  const times = countTimes(stored.map(({ user }) => user));
  const sentIds = new Set(sent.map(({ id }) => id));
  const acknowledged = sent.filter(({ isAcknowledged }) => isAcknowledged);
  const served = countTimes(await readServed(ask, new Set(sent.map(({ source }) => source))));
  const findings = await Promise.all(rules.map((rule) => checkRule(ask, rule, stored)));
  const alerts = await list(ask, "/alerts");
  const titles = countTimes(alerts.map(({ title }) => title));
  const expected = new Map(findings.flatMap(({ alerts: expectedAlerts }) => expectedAlerts));
  const counted = new Map<string, number>(alerts.map(({ title, occurrence_count }) => [title, occurrence_count]));
  return {
    acknowledged: acknowledged.length,
    stored: stored.length,
    unknown: [...times.keys()].filter((id) => !sentIds.has(id)),
    lost: acknowledged.map(({ id }) => id).filter((id) => !times.has(id)),
    doubled: repeated(times),
    notServed: [...times.keys()].filter((id) => served.get(id) !== 1),
    expectedAlerts: expected.size,
    missedAlerts: [...expected.keys()].filter((title) => !titles.has(title)),
    doubledAlerts: [
      ...repeated(titles),
      ...[...expected]
        .filter(([title, count]) => (counted.get(title) ?? count) > count)
        .map(([title]) => `${title} (counted)`),
    ],
    unexpectedAlerts: [...titles.keys()].filter((title) => !expected.has(title)),
    expectedMatches: findings.reduce((sum, { expectedMatches }) => sum + expectedMatches, 0),
    missedMatches: findings.flatMap(({ missed }) => missed),
    doubledMatches: findings.flatMap(({ doubled }) => doubled),
    unexpectedMatches: findings.flatMap(({ unexpected }) => unexpected),
    deadLetters: (await ask("/siem/dead-letters")).total,
    ledgerAlarm: (await ask("/ledger/status")).alarm,
  };
}

/** Compares the expected consequences of the stored logs with what the product reports. */
async function checkRule(ask: SendRequest, rule: CheckedRule, stored: readonly StoredLog[]) {
  const groups = new Map<string, Set<string>>();
  for (const { id, host, message } of stored) {
    if (message.includes(rule.word)) groups.set(host, (groups.get(host) ?? new Set()).add(id));
  }
  const found = [...groups].filter(([, ids]) => ids.size >= rule.count);
  const expected = new Set(found.flatMap(([, ids]) => [...ids]));
  const matches = await list(ask, `/detections/rules/${rule.id}/matches`);
  const matched = countTimes(matches.map(({ log_id }) => log_id));
  return {
    alerts: found.map(([host, ids]): [string, number] => [rule.title(host), ids.size]),
    expectedMatches: expected.size,
    missed: [...expected].filter((id) => !matched.has(id)),
    doubled: repeated(matched),
    unexpected: [...matched.keys()].filter((id) => !expected.has(id)),
  };
}

type SendRequest = (path: string) => Promise<Json>;

function createAsk(api: string, token: string): SendRequest {
  return async (path) => {
    const headers = { authorization: `Bearer ${token}` };
    const send = () => fetch(`${api}/api/v1${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
    // A connection that was unused while this program read the stores may be closed by now.
    const fetchOnce = () => send().catch(send);
    let answer = await fetchOnce();
    // The documents ask clients to repeat what was answered with 503.
    for (let tries = 1; answer.status === 503 && tries < MAX_TRIES; tries += 1) {
      await setTimeout(REPEAT_MS);
      answer = await fetchOnce();
    }
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.headers.get("content-type")?.includes("ndjson") ? answer.text() : answer.json();
  };
}

async function list(ask: SendRequest, path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor = ""; ; ) {
    const page = await ask(`${path}?limit=${PAGE}${cursor}`);
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Every log of the senders in one store, however often it is there. */
async function readStore(url: string): Promise<StoredLog[]> {
  const sql = "SELECT toString(id) AS id, user, host, message FROM logs WHERE startsWith(source, 'faults-')";
  const answer = await fetch(`${url}/?default_format=JSONEachRow`, {
    method: "POST",
    body: sql,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line): StoredLog => JSON.parse(line));
}

/** The ids of all logs that the API exports; those of each source for itself, since an export has a limit. */
async function readServed(ask: SendRequest, sources: ReadonlySet<string>): Promise<string[]> {
  const ids: string[] = [];
  for (const source of sources) {
    const text: string = await ask(`/siem/logs/export?query=source:${source}&format=ndjson&limit=1000000`);
    for (const line of text.split("\n").filter(Boolean)) ids.push(JSON.parse(line).user);
  }
  return ids;
}

function countTimes(values: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
}

function repeated(times: ReadonlyMap<string, number>): string[] {
  return [...times].filter(([, count]) => count > 1).map(([value]) => value);
}
