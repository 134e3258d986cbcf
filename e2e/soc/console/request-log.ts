import type { Request } from "playwright-core";

export interface RequestLog {
  add(request: Request): void;
  /** `GET /api/v1/alerts`, in the order of time, without the stream of events. */
  list(): string[];
  /** The largest number of requests within one minute. */
  mostInAMinute(): number;
  /** The number of requests in the last milliseconds. */
  countLast(ms: number): number;
}

const MINUTE_MS = 60_000;

/** Which requests the limit of the service would count, and when they were sent. */
export function createRequestLog(nowMs: () => number = () => performance.now()): RequestLog {
  const sent: { atMs: number; line: string }[] = [];
  return {
    add(request) {
      sent.push({ atMs: nowMs(), line: `${request.method()} ${new URL(request.url()).pathname}` });
    },
    list: () => sent.map(({ line }) => line),
    mostInAMinute: () => countMostWithin(sent, MINUTE_MS),
    countLast: (ms) => sent.filter(({ atMs }) => atMs > nowMs() - ms).length,
  };
}

function countMostWithin(sent: readonly { atMs: number }[], withinMs: number): number {
  let most = 0;
  let first = 0;
  for (const [at, { atMs }] of sent.entries()) {
    while ((sent[first]?.atMs ?? atMs) <= atMs - withinMs) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}
