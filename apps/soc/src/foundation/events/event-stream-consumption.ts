import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import { type CursorStore, createCursorStore } from "./event-stream.store.ts";
import type { Consumer, Consumption, StreamRead, StreamReader, StreamSource } from "./event-stream.ts";

export interface ConsumptionDeps {
  source: Pick<StreamSource, "name" | "first" | "last" | "readAfter">;
  /** Stores the cursors of the consumers of every source. */
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn" | "error">;
}

// How soon a consumer tries to take over from another process, and its first delay after a failure.
const STANDBY_MS = 500;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 30_000;
const CLOSE_TIMEOUT_MS = 10_000;

/**
 * Delivers events to one consumer until it is closed. It waits while the database is unavailable or the mode forbids
 * internal work.
 */
export function startConsumption(deps: ConsumptionDeps, consumer: Consumer): Consumption {
  const { source, db, runtime, clock, log } = deps;
  const about = { stream: source.name, consumer: consumer.name };
  const closing = new AbortController();
  const { signal } = closing;
  const pause = (ms: number) => clock.sleep(ms, signal).catch(() => undefined);

  /**
   * Delivers one batch and retries with backoff. Returns false when the stream closes before the consumer handled the
   * batch.
   */
  async function deliver(cursors: CursorStore, from: string, { events, to, hasGap }: StreamRead): Promise<boolean> {
    if (hasGap) log.error({ ...about, from }, "stream events were deleted before the consumer read them");
    for (let waitMs = FIRST_RETRY_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
      const attempt = await cursors.claim(to);
      try {
        await consumer.handle({ id: `${source.name} ${from} to ${to}`, events, attempt, hasGap });
        return true;
      } catch (error) {
        log.warn({ ...about, err: error, attempt, wait_ms: waitMs }, "stream batch failed, retrying");
      }
      await pause(waitMs);
    }
    return false;
  }

  async function follow(cursors: CursorStore, reader: StreamReader, handled: string, claimed: string): Promise<void> {
    let from = handled;
    let upTo = claimed === handled ? undefined : claimed;
    while (!signal.aborted) {
      const read = await reader.read({ most: consumer.most, upTo });
      if (!read) continue;
      if (!(await deliver(cursors, from, read))) return;
      await cursors.acknowledge(read.to);
      from = read.to;
      upTo = undefined;
    }
  }

  async function consumeFromCursor(cursors: CursorStore): Promise<void> {
    const begin = () => (consumer.from === "first" ? source.first() : source.last());
    const { handled, claimed } = (await cursors.find()) ?? (await cursors.create(await begin()));
    const reader = await source.readAfter(handled, signal);
    log.info({ ...about, handled }, "stream consumer started");
    try {
      await follow(cursors, reader, handled, claimed);
    } finally {
      await reader.close();
    }
  }

  async function consumeIfLeader(): Promise<void> {
    const { is_database_available, is_internal_workflows_allowed } = await runtime.truth();
    if (!is_database_available || !is_internal_workflows_allowed) return;
    await db.connection().execute(async (held) => {
      const cursors = createCursorStore(held, source.name, consumer.name);
      if (!(await cursors.tryLock())) return;
      try {
        await consumeFromCursor(cursors);
      } finally {
        // If the connection was lost, the server has already released its lock.
        await cursors.unlock().catch(() => undefined);
      }
    });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await consumeIfLeader().catch((error: unknown) => {
        log.warn({ ...about, err: error }, "stream consumer failed, restarting");
      });
      await pause(STANDBY_MS);
    }
  }

  const running = run();
  return {
    async close() {
      closing.abort();
      await Promise.race([running, clock.sleep(CLOSE_TIMEOUT_MS)]);
    },
  };
}
