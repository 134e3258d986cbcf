import { createClock } from "@kit/clock";
import { sendBatch } from "./log-senders.ts";

export interface PacedLoadDeps {
  url: string;
  token: string;
  /** Identifies this load in the names of its batches. */
  name: string;
  /** Events a second. */
  rate: number;
  /** The user of each acknowledged log, with the wall clock's milliseconds of its acknowledgement. */
  acknowledged: Map<string, number>;
}

export interface Times {
  acks: number[];
  searches: number[];
}

export interface PacedLoad {
  /** The milliseconds of the answers since the last call. */
  takeTimes(): Times;
  /** Sends this many events as quickly as they are taken. */
  preload(events: number): Promise<void>;
  /** Ends after what is under way is acknowledged. */
  stop(): Promise<void>;
}

const clock = createClock();
const BATCHES_A_SECOND = 10;
const MAX_UNDER_WAY = 20;
const PRELOAD_BATCH_SIZE = 5000;
const SEARCH_EVERY_MS = 200;

/** Sends logs at a constant rate, and searches meanwhile. */
export function startPacedLoad({ url, token, name, rate, acknowledged }: PacedLoadDeps): PacedLoad {
  const over = new AbortController();
  const under = new Set<Promise<void>>();
  let times = createTimes();

  async function send(batch: string, size: number): Promise<void> {
    const users = Array.from({ length: size }, (_, n) => `${name}-${batch}-${n}`);
    const events = users.map((user, n) => ({
      source: "load",
      user,
      message: `accepted password from 10.0.${n % 250}.7`,
    }));
    const startMs = clock.monotonicMs();
    await sendBatch(() => ({ url, token }), `${name}-${batch}`, events);
    times.acks.push(clock.monotonicMs() - startMs);
    const atMs = clock.now().getTime();
    for (const user of users) acknowledged.set(user, atMs);
  }

  async function sendAtRate(): Promise<void> {
    const startMs = clock.monotonicMs();
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      // On a machine that cannot keep up, some turns are left out.
      if (under.size < MAX_UNDER_WAY) {
        const sending = send(String(turn), rate / BATCHES_A_SECOND);
        under.add(sending);
        void sending.finally(() => under.delete(sending));
      }
      const waitMs = startMs + ((turn + 1) * 1000) / BATCHES_A_SECOND - clock.monotonicMs();
      await clock.sleep(Math.max(0, waitMs), over.signal).catch(() => undefined);
    }
    await Promise.all(under);
  }

  async function search(): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    while (!over.signal.aborted) {
      const startMs = clock.monotonicMs();
      const answer = await fetch(`${url}/api/v1/siem/logs?query=source:load&limit=20`, { headers });
      if (answer.status !== 200) throw new Error(`a search failed: ${answer.status} ${await answer.text()}`);
      await answer.text();
      times.searches.push(clock.monotonicMs() - startMs);
      await clock.sleep(SEARCH_EVERY_MS, over.signal).catch(() => undefined);
    }
  }

  const running = Promise.all([sendAtRate(), search()]);
  return {
    takeTimes() {
      const taken = times;
      times = createTimes();
      return taken;
    },

    async preload(events) {
      for (let sent = 0; sent < events; sent += PRELOAD_BATCH_SIZE) await send(`before-${sent}`, PRELOAD_BATCH_SIZE);
    },

    async stop() {
      over.abort();
      await running;
    },
  };
}

export function createTimes(): Times {
  return { acks: [], searches: [] };
}

export function addTimes(all: Times, { acks, searches }: Times): void {
  all.acks.push(...acks);
  all.searches.push(...searches);
}

/** The ratio of the median response times. */
export function compareTimes(before: Times, during: Times) {
  const compare = (kind: keyof Times) => {
    const [a, b] = [summarise(before[kind]), summarise(during[kind])];
    return { before: a, during: b, ratio: Math.round((100 * b.p50) / a.p50) / 100 };
  };
  return { acks: compare("acks"), searches: compare("searches") };
}

/** In milliseconds. */
function summarise(all: readonly number[]): { count: number; p50: number; p95: number } {
  const sorted = all.toSorted((a, b) => a - b);
  const pick = (share: number) => Math.round(10 * (sorted[Math.floor(share * sorted.length)] ?? 0)) / 10;
  return { count: sorted.length, p50: pick(0.5), p95: pick(0.95) };
}
