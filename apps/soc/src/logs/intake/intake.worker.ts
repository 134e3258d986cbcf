import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { DropsService } from "./drops.service.ts";
import type { ClaimsStore } from "./pipeline/claims.store.ts";
import type { DeadLettersStore } from "./pipeline/dead-letters.store.ts";
import type { IngestWatermark } from "./pipeline/ingest-watermark.ts";
import type { WriterService } from "./pipeline/writer.service.ts";
import type { WriterSession } from "./pipeline/writer-session.ts";
import type { WritersStore } from "./pipeline/writers.store.ts";
import type { SourcesService } from "./sources.service.ts";

export interface IntakeWorkerDeps {
  /** The name of the writer. */
  name: string;
  /** Undefined if the owners of partitions store what this process receives. */
  writer: Pick<WriterService, "follow" | "settlePending" | "requireClock"> | undefined;
  /** Without a session, the end of this process is detected when its lease expires. */
  session: WriterSession | undefined;
  writers: WritersStore;
  ingestWatermark: Pick<IngestWatermark, "watermark">;
  sources: Pick<SourcesService, "flush" | "listen">;
  drops: Pick<DropsService, "flush">;
  claims: Pick<ClaimsStore, "sweep" | "forgetEvents">;
  deadLetters: Pick<DeadLettersStore, "sweep">;
  /** Other deletions of old records. */
  sweeps: readonly (() => Promise<unknown>)[];
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "warn">;
}

const WATERMARK_MS = 250;
const COUNTERS_MS = 1000;
const SWEEP_MS = 30_000;
const REMEMBERED_SECONDS = 24 * 60 * 60;
// About 2.5 GB of PostgreSQL.
const MAX_NAMED_EVENTS = 20_000_000;
const DEAD_LETTERS_SWEEP_MS = 5000;
const MAX_DEAD_LETTERS = { count: 100_000, bytes: 256 * 1024 * 1024 };
const DEAD_LETTERS_SWEEP_BATCH_SIZE = 5000;

/** Background work of the intake: publishes the watermark, writes counters and deletes old records. */
export function createIntakeWorker(deps: IntakeWorkerDeps) {
  const { name, writer, session, writers, ingestWatermark, sources, drops, claims, deadLetters, sweeps, clock, log } =
    deps;
  const closing = new AbortController();
  let running: Promise<unknown> | undefined;

  async function publish(): Promise<void> {
    if (!writer) return;
    writer.requireClock();
    await writer.follow();
    await writers.publish(name, ingestWatermark.watermark(), session?.isHeld());
  }

  async function count(): Promise<void> {
    await drops.flush();
    await sources.flush();
    await sources.listen();
  }

  async function untilNothingIsLeft(remove: () => Promise<number>): Promise<number> {
    let sum = 0;
    while (!closing.signal.aborted) {
      const removed = await remove();
      if (removed === 0) break;
      sum += removed;
      await clock.sleep(WATERMARK_MS);
    }
    return sum;
  }

  async function sweep(): Promise<void> {
    await untilNothingIsLeft(() => claims.sweep(REMEMBERED_SECONDS));
    const forgotten = await untilNothingIsLeft(() => claims.forgetEvents(MAX_NAMED_EVENTS));
    if (forgotten > 0) log.warn({ forgotten, most: MAX_NAMED_EVENTS }, "named events forgotten after less than a day");
    for (const each of sweeps) await each();
    // Writers that have ended since may have left inserts that only the log store knows.
    writer?.settlePending();
  }

  async function sweepDeadLetters(): Promise<void> {
    let dropped = 0;
    while (!closing.signal.aborted) {
      const some = await deadLetters.sweep(MAX_DEAD_LETTERS, DEAD_LETTERS_SWEEP_BATCH_SIZE);
      dropped += some;
      if (some < DEAD_LETTERS_SWEEP_BATCH_SIZE) break;
    }
    if (dropped > 0) log.warn({ dropped, most: MAX_DEAD_LETTERS }, "oldest dead letters dropped");
  }

  async function repeat(work: () => Promise<void>, everyMs: number): Promise<void> {
    let hadSucceeded = true;
    while (!closing.signal.aborted) {
      const hasSucceeded = await work().then(
        () => true,
        (error: unknown) => {
          if (hadSucceeded) log.warn({ err: error }, "writing intake records failed");
          return false;
        },
      );
      hadSucceeded = hasSucceeded;
      await clock.sleep(everyMs, closing.signal).catch(() => undefined);
    }
  }

  return {
    start(): void {
      session?.start();
      running ??= Promise.all([
        repeat(publish, WATERMARK_MS),
        repeat(count, COUNTERS_MS),
        repeat(sweep, SWEEP_MS),
        repeat(sweepDeadLetters, DEAD_LETTERS_SWEEP_MS),
      ]);
    },

    /** Call it after the intake itself is closed. */
    async close(): Promise<void> {
      if (closing.signal.aborted) return;
      closing.abort();
      await running;
      const finish = async () => {
        await drops.flush();
        await sources.flush();
        await publish();
        if (writer) await writers.retire(name);
      };
      await finish().catch((error: unknown) => log.warn({ err: error }, "writing intake records failed"));
      await session?.close();
    },
  };
}
