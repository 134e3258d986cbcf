import { createClock } from "@kit/clock";
import { type Answer, createSocClient, requestToken, type SocClient } from "./client.ts";
import { listStored, sendBatch } from "./log-senders.ts";
import { casesWithEvidence, createMemory, createTally, findLost, keepWriting, openSharedCase } from "./writers.ts";

/** The load on a platform during an upgrade, and a record of what the platform acknowledged. */
export type UpgradeLoad = Awaited<ReturnType<typeof startUpgradeLoad>>;

const clock = createClock();
const NEEDLE_MS = 400;
const LOGS_MS = 100;
const RULES_MS = 1000;
const READ_MS = 100;
const REPEAT_MS = 50;
const PLAYBOOK = "handle";
const RULE = { name: "needle", query: "message:needle", alert_title_template: "needle on {host}" };
const STEPS = [
  { id: "pause", action: "wait", params: { seconds: 5 } },
  { id: "case", action: "case.create", params: { title: "handled {parameters.host}" } },
];
const READS = [
  "/alerts",
  "/alerts?q=needle",
  "/cases",
  "/audit",
  "/detections/rules",
  "/detections/metrics",
  "/siem/logs?query=source:load&limit=20",
  "/siem/sources",
  "/soar/executions",
  "/soar/playbooks",
  "/soar/automations",
  "/edr/stats",
  "/approvals",
  "/ledger/status",
  "/inbox",
  "/me/preferences",
  "/iocs",
  "/sites",
  "/system/health",
  "/system/mode",
  "/users",
  "/edr/endpoints",
];

/** Begins on a platform that is served at these addresses, through one of them after the other. */
export async function startUpgradeLoad(url: string) {
  const over = new AbortController();
  const [memory, tally] = [createMemory(), createTally()];
  const hosts: string[] = [];
  const users: string[] = [];
  const rules: string[] = [];
  const unexpected = new Map<string, number>();
  const targets = new Map<string, { url: string; token: string; client: SocClient; left: AbortController }>();
  const running: Promise<unknown>[] = [];
  let turn = 0;

  function next() {
    const all = [...targets.values()];
    turn += 1;
    const target = all[turn % all.length];
    if (!target) throw new Error("no service is in use");
    return target;
  }

  /** Accepts only errors that a sender retries on its own: 503 with a Retry-After header. */
  function judge(what: string, { status, headers, body }: Answer): void {
    if (status < 300 || (status === 503 && headers.get("retry-after") !== null)) return;
    const words = `${what}: ${status} ${JSON.stringify(body)}`.slice(0, 300);
    unexpected.set(words, (unexpected.get(words) ?? 0) + 1);
  }

  async function repeat(everyMs: number, work: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 0; !over.signal.aborted; round += 1) {
      await work(round);
      await clock.sleep(everyMs);
    }
  }

  async function createRule(round: number): Promise<void> {
    const name = `rule ${round}`;
    for (;;) {
      const answer = await next()
        .client.post("/detections/rules", { ...RULE, name, query: `message:never-${round}` })
        .catch(() => undefined);
      if (answer) judge("POST /detections/rules", answer);
      if (answer?.status === 201) break;
      if (over.signal.aborted) return;
      await clock.sleep(REPEAT_MS);
    }
    rules.push(name);
  }

  async function read(round: number): Promise<void> {
    const path = READS[round % READS.length] ?? "";
    const answer = await next()
      .client.get(path)
      .catch(() => undefined);
    if (answer) judge(`GET ${path}`, answer);
  }

  async function enter(address: string): Promise<void> {
    const token = await requestToken(createSocClient(address));
    const client = createSocClient(address, token);
    targets.set(address, { url: address, token, client, left: new AbortController() });
  }

  async function prepare(client: SocClient): Promise<string> {
    const playbook = { name: PLAYBOOK, inputs: [{ name: "host", from: "alert.host" }], steps: STEPS };
    await must(client.ask("PUT", `/api/v1/soar/playbooks/${PLAYBOOK}`, playbook));
    await must(client.post("/soar/automations", { name: PLAYBOOK, condition: "title:needle*", playbook_id: PLAYBOOK }));
    await must(client.post("/detections/rules", RULE));
    return openSharedCase(client, memory);
  }

  function write(address: string, sharedCase: string): void {
    const target = targets.get(address);
    if (!target) return;
    const until = AbortSignal.any([over.signal, target.left.signal]);
    const client: SocClient = {
      ...target.client,
      post: async (path, body) => {
        const answer = await target.client.post(path, body);
        judge(`POST ${path}`, answer);
        return answer;
      },
    };
    running.push(keepWriting({ client, memory, tally, name: address, sharedCase, until }));
  }

  await enter(url);
  const sharedCase = await prepare(next().client);
  write(url, sharedCase);
  running.push(
    repeat(NEEDLE_MS, async (round) => {
      const host = `host-${round}`;
      await sendBatch(next, `needle-${round}`, [{ source: "probe", host, message: "a needle in the hay" }]);
      hosts.push(host);
    }),
    repeat(LOGS_MS, async (round) => {
      const batch = Array.from({ length: 20 }, (_, n) => `${round}-${n}`);
      const events = batch.map((user) => ({ source: "load", user, message: "as usual" }));
      await sendBatch(next, `load-${round}`, events);
      users.push(...batch);
    }),
    repeat(RULES_MS, createRule),
    repeat(READ_MS, read),
  );

  return {
    tally,
    /** The cases whose ledgers have acknowledged entries. */
    ledgers: () => casesWithEvidence(memory),
    /** The refusals and failures that no sender expects, and how often each came. */
    unexpected,
    /** Adds a service that receives requests. */
    async enter(address: string): Promise<void> {
      await enter(address);
      write(address, sharedCase);
    },
    /** No further request goes to this service. */
    leave(address: string): void {
      targets.get(address)?.left.abort();
      targets.delete(address);
    },
    acknowledged: () => ({
      logs: users.length,
      needles: hosts.length,
      rules: rules.length,
      changes: tally.acknowledged,
    }),
    /** Ends after what is under way is answered. */
    async stop(): Promise<void> {
      over.abort();
      await Promise.all(running);
    },

    /** Lists acknowledged records that are lost or duplicated. */
    async findDifferences(): Promise<string[]> {
      const { client, url: address, token } = next();
      const alerts = await client.list("/alerts");
      const raised = alerts.filter(({ source }) => source === "detection");
      const cases = (await client.list("/cases")).filter(({ title }) => title.startsWith("handled "));
      const kept = (await client.list("/detections/rules")).filter(({ name }) => name.startsWith("rule "));
      return [
        ...(await findLost(withoutHandled(client), memory)),
        ...compare(
          "alert",
          raised.map(
            ({ title, occurrence_count }) => `${title}${occurrence_count === 1 ? "" : ` (${occurrence_count})`}`,
          ),
          hosts.map((host) => `needle on ${host}`),
        ),
        ...compare(
          "case",
          cases.map(({ title }) => title),
          hosts.map((host) => `handled ${host}`),
        ),
        ...compare(
          "rule",
          kept.map(({ name }) => name),
          rules,
        ),
        ...compare("log", await listStored({ url: address, token }), users),
      ];
    },
  };
}

/** The cases that the playbook opens are none of the writers'. */
function withoutHandled(client: SocClient): SocClient {
  return {
    ...client,
    list: async (path) =>
      (await client.list(path)).filter(({ title }) => path !== "/cases" || !String(title).startsWith("handled ")),
  };
}

function compare(what: string, found: readonly string[], expected: readonly string[]): string[] {
  const [once, sent] = [new Set(found), new Set(expected)];
  return [
    ...(once.size < found.length ? [`${found.length - once.size} of ${what} are there twice`] : []),
    ...expected.filter((each) => !once.has(each)).map((each) => `${what} lost: ${each}`),
    ...found.filter((each) => !sent.has(each)).map((each) => `${what} never sent: ${each}`),
  ].slice(0, 20);
}

async function must(answering: Promise<Answer>): Promise<void> {
  const { status, body } = await answering;
  if (status >= 300) throw new Error(`the load cannot be prepared: ${status} ${JSON.stringify(body)}`);
}
