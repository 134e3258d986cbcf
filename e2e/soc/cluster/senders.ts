import { createClock } from "@kit/clock";
import { OWN_ANSWER } from "./balancer.ts";
import type { SentLog } from "./checker.ts";
import { createRandom } from "./random.ts";

export interface SendersOptions {
  url: string;
  /** One for each sender. */
  keys: readonly string[];
  seed: number;
  /** How many logs for streaming rules, and how many groups for the threshold, are sent in all; spread over the time. */
  findings: number;
  durationMs: number;
}

export interface Senders {
  /** Everything that was sent, acknowledged or not. */
  sent: readonly SentLog[];
  /** How many answers had which status; 0 means none, and `balancer` an answer of the balancer itself. */
  answers(): Readonly<Record<string, number>>;
  /** Ends after every named batch is acknowledged. */
  stop(): Promise<void>;
  abort(): void;
}

export const STREAMING_RULES = 4;
export const THRESHOLD = 3;
const clock = createClock();
const BATCH = 10;
const PAUSE_MS = 250;
const REPEAT_MS = 300;
const ANSWER_MS = 12_000;
const MAX_ANSWER_TEXT = 300;

/**
 * Starts senders that post batches to the balancer: half of them name their batches and repeat them until they are
 * acknowledged.
 */
export function startSenders({ url, keys, seed, findings, durationMs }: SendersOptions): Senders {
  const sent: SentLog[] = [];
  const answers: Record<string, number> = {};
  const over = new AbortController();
  const given = new AbortController();
  const findingEveryMs = (durationMs * keys.length) / findings;

  async function post(key: string, events: readonly SentLog[], batchId: string | undefined): Promise<boolean> {
    const body = JSON.stringify(events.map(({ id, source, host, message }) => ({ source, host, user: id, message })));
    const headers = {
      "x-api-key": key,
      "content-type": "application/json",
      ...(batchId !== undefined && { "x-batch-id": batchId }),
    };
    try {
      const signal = AbortSignal.any([clock.deadline(ANSWER_MS), given.signal]);
      const answer = await fetch(`${url}/api/v1/siem/ingest`, { method: "POST", headers, body, signal });
      const text = await answer.text();
      const isOwn = answer.headers.has(OWN_ANSWER);
      const isKnown = answer.status === 202 || answer.status === 503;
      note(isOwn ? "balancer" : isKnown ? String(answer.status) : `${answer.status} ${text.slice(0, MAX_ANSWER_TEXT)}`);
      return answer.status === 202;
    } catch {
      note("0");
      return false;
    }
  }

  function note(answer: string): void {
    answers[answer] = (answers[answer] ?? 0) + 1;
  }

  async function sendBatch(key: string, logs: SentLog[], batchId: string | undefined): Promise<void> {
    sent.push(...logs);
    do {
      if (await post(key, logs, batchId)) {
        for (const log of logs) log.isAcknowledged = true;
        return;
      }
      await clock.sleep(REPEAT_MS);
      // A batch without a name is not retried: the sender cannot know whether it arrived.
    } while (batchId !== undefined && !given.signal.aborted);
  }

  async function send(key: string, sender: number): Promise<void> {
    const random = createRandom(seed * 1000 + sender);
    const source = `faults-${sender}`;
    const isNamed = sender % 2 === 0;
    let nextFindingMs = clock.monotonicMs() + random.next() * findingEveryMs;
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const name = `${sender}-${turn}`;
      const logs = Array.from({ length: BATCH }, (_, n) => buildLog(`${name}-${n}`, source));
      if (clock.monotonicMs() >= nextFindingMs) {
        nextFindingMs += findingEveryMs;
        addFindings(logs, name, random.between(0, STREAMING_RULES - 1));
      }
      await sendBatch(key, logs, isNamed ? `batch-${name}` : undefined);
      await clock.sleep(PAUSE_MS + random.between(0, PAUSE_MS));
    }
  }

  const sending = Promise.all(keys.map(send));
  return {
    sent,
    answers: () => answers,
    async stop() {
      over.abort();
      await sending;
    },
    abort() {
      over.abort();
      given.abort();
    },
  };
}

function buildLog(id: string, source: string): SentLog {
  return { id, source, host: `host-${source}`, message: "as usual", isAcknowledged: false };
}

/** One log for a streaming rule, a group that reaches the threshold, and a group that does not. */
function addFindings(logs: SentLog[], name: string, rule: number): void {
  const change = (place: number, host: string, message: string) => Object.assign(logs[place] ?? {}, { host, message });
  change(0, `needle-${name}`, `a needle${rule}x in the hay`);
  for (let n = 1; n <= THRESHOLD; n += 1) change(n, `burst-${name}`, "a burstx of logs");
  for (let n = THRESHOLD + 1; n < 2 * THRESHOLD; n += 1) change(n, `few-${name}`, "a burstx of logs");
}
