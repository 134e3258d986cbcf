import { ApiError } from "./api-error.ts";

/** A read that is waiting to be sent together with others. */
export interface GatheredRead {
  path: string;
  signal: AbortSignal | undefined;
}

interface ItemAnswer {
  status: number;
  body: unknown;
}

export interface BatchAnswer {
  responses: ItemAnswer[];
}

export interface GatherDeps {
  /** Sends one read as its own request. */
  sendAlone: (read: GatheredRead) => Promise<unknown>;
  /** Sends several reads as one request, which counts once in the limit of the caller. */
  sendBatch: (paths: readonly string[], signal: AbortSignal) => Promise<BatchAnswer>;
}

interface WaitingRead extends GatheredRead {
  resolve: (body: unknown) => void;
  reject: (cause: unknown) => void;
}

/** The limit of the service. */
const MAX_ITEMS = 20;
/** These statuses mean the same for each item. A refused batch says nothing else about its items. */
const FINAL_STATUSES = [0, 401, 429];

/** Sends the reads of one moment as one batch. */
export function createGatheredReads({ sendAlone, sendBatch }: GatherDeps) {
  let waiting: WaitingRead[] = [];

  const sendOne = (read: WaitingRead) => void sendAlone(read).then(read.resolve, read.reject);

  /** Only a whole response has the headers of a refusal, so a refused item is asked again alone. */
  function settle(read: WaitingRead, { status, body }: ItemAnswer): void {
    if (status >= 200 && status < 300) read.resolve(body);
    else if (!read.signal?.aborted) sendOne(read);
  }

  /** Says nothing about one item unless it says the same of each. */
  function settleAll(reads: readonly WaitingRead[], cause: unknown): void {
    const isFinal = !(cause instanceof ApiError) || FINAL_STATUSES.includes(cause.status);
    for (const read of reads) {
      if (isFinal || read.signal?.aborted) read.reject(cause);
      else sendOne(read);
    }
  }

  async function sendTogether(reads: readonly WaitingRead[]): Promise<void> {
    const paths = reads.map(({ path }) => path);
    try {
      const { responses } = await sendBatch(paths, whenAllAbort(reads));
      for (const [at, read] of reads.entries()) settle(read, responses[at] ?? { status: 0, body: undefined });
    } catch (cause) {
      settleAll(reads, cause);
    }
  }

  function flush(): void {
    const reads = waiting.filter(({ signal }) => !signal?.aborted);
    waiting = [];
    for (let start = 0; start < reads.length; start += MAX_ITEMS) {
      const part = reads.slice(start, start + MAX_ITEMS);
      const [first] = part;
      if (first && part.length === 1) sendOne(first);
      else void sendTogether(part);
    }
  }

  return (read: GatheredRead): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (read.signal?.aborted) return reject(read.signal.reason);
      read.signal?.addEventListener("abort", () => reject(read.signal?.reason), { once: true });
      if (waiting.length === 0) queueMicrotask(flush);
      waiting.push({ ...read, resolve, reject });
    });
}

/** A signal that aborts when no read is left that waits. */
function whenAllAbort(reads: readonly GatheredRead[]): AbortSignal {
  const left = new AbortController();
  let open = reads.length;
  for (const { signal } of reads)
    signal?.addEventListener("abort", () => {
      open -= 1;
      if (open === 0) left.abort(signal.reason);
    });
  return left.signal;
}
