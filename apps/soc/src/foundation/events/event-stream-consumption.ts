import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import { type CursorStore, createCursorStore } from "./event-stream.store.ts";
import type { Consumer, Consumption, StreamRead, StreamReader, StreamSource } from "./event-stream.ts";

export interface ConsumptionDeps {
  source: Pick<StreamSource, "name" | "first" | "last" | "readAfter">;
  /** Keeps the consumers' places, whatever the source is. */
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info" | "warn" | "error">;
}

// How soon a consumer takes over from another process, and how soon it tries again after a failure.
const STAND_BY_MS = 500;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 30_000;
const CLOSE_MS = 10_000;

/** Hands events to one consumer until it is closed. While there is no database, or internal work is not allowed, it waits. */
export function startConsumption(deps: ConsumptionDeps, consumer: Consumer): Consumption {
  const { source, db, runtime, clock, log } = deps;
  const about = { stream: source.name, consumer: consumer.name };
  const closing = new AbortController();
  const { signal } = closing;
  const pause = (ms: number) => clock.sleep(ms, signal).catch(() => undefined);

  /** False when the stream closes before the batch was handled. */
  async function handOut(cursors: CursorStore, from: string, { events, to, hasGap }: StreamRead): Promise<boolean> {
    if (hasGap) log.error({ ...about, from }, "events of the stream are gone unread");
    for (let waitMs = FIRST_RETRY_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      const attempt = await cursors.claim(to);
      try {
        await consumer.handle({ id: `${source.name} ${from} to ${to}`, events, attempt, hasGap });
        return true;
      } catch (error) {
        log.warn({ ...about, err: error, attempt, wait_ms: waitMs }, "events of the stream were not handled");
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
      if (!(await handOut(cursors, from, read))) return;
      await cursors.acknowledge(read.to);
      from = read.to;
      upTo = undefined;
    }
  }

  async function lead(cursors: CursorStore): Promise<void> {
    const begin = () => (consumer.from === "first" ? source.first() : source.last());
    const { handled, claimed } = (await cursors.find()) ?? (await cursors.create(await begin()));
    const reader = await source.readAfter(handled, signal);
    log.info({ ...about, handled }, "consumes the stream");
    try {
      await follow(cursors, reader, handled, claimed);
    } finally {
      await reader.close();
    }
  }

  async function takeTurn(): Promise<void> {
    const { is_database_available, is_internal_workflows_allowed } = await runtime.truth();
    if (!is_database_available || !is_internal_workflows_allowed) return;
    await db.connection().execute(async (held) => {
      const cursors = createCursorStore(held, source.name, consumer.name);
      if (!(await cursors.tryLock())) return;
      try {
        await lead(cursors);
      } finally {
        // A connection that is gone has taken the lock with it.
        await cursors.unlock().catch(() => undefined);
      }
    });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await takeTurn().catch((error: unknown) => {
        log.warn({ ...about, err: error }, "consumer of the stream begins anew");
      });
      await pause(STAND_BY_MS);
    }
  }

  const running = run();
  return {
    async close() {
      closing.abort();
      await Promise.race([running, clock.sleep(CLOSE_MS)]);
    },
  };
}
