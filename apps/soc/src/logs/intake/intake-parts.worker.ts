import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log as Speaker } from "@kit/log";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../casework/alerts/alerts.service.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { EventStream } from "../../foundation/events/event-stream.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogStore } from "../search/log-store.ts";
import { createDeadLettersService } from "./dead-letters.service.ts";
import { createDeadLettersStore, createShowcaseDeadLetters } from "./dead-letters.store.ts";
import { createBodies } from "./formats/body.ts";
import { createIntakeService } from "./intake.service.ts";
import { createIntakeWorker } from "./intake.worker.ts";
import { createClaimsStore } from "./pipeline/claims.store.ts";
import { createPublisher } from "./pipeline/publisher.service.ts";
import { createQueue, type QueueLimits } from "./pipeline/queue.service.ts";
import { createStamps } from "./pipeline/stamps.ts";
import { STREAM_LIMITS } from "./pipeline/stream-parcel.ts";
import { createStreamWriter } from "./pipeline/stream-writer.worker.ts";
import { createWriterService } from "./pipeline/writer.service.ts";
import { createWritersStore } from "./pipeline/writers.store.ts";
import { createSourcesService } from "./sources.service.ts";
import { createSourcesStore } from "./sources.store.ts";
import { createSyslogDelivery } from "./syslog/syslog-delivery.service.ts";

export interface IntakePartsDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "choose">;
  logStore: Pick<LogStore, "insert" | "count">;
  alerts: Pick<AlertsService, "create">;
  /** The writer's name: the same after a restart, and nobody else's. */
  name: string;
  /** How long an insert without an answer may still happen. */
  unsettledMs: number;
  /** With it, parcels go by the stream, and a writer of one of the processes stores them; without, this process does. */
  stream?: Pick<EventStream, "publish" | "consume">;
  limits?: Partial<QueueLimits>;
  clock: Clock;
  ids: Ids;
  log: Speaker;
}
export type IntakeParts = ReturnType<typeof createIntakeParts>;

// The writer makes large groups of small ones; while the stream's servers choose a leader, somebody may wait for that long.
const STREAM_QUEUE = { groupMs: 20, busyMs: 20, groupsAtOnce: 1, waitMs: 15_000 };

/** All parts of the intake, put together. Its worker is not started. */
export function createIntakeParts(deps: IntakePartsDeps) {
  const { db, runtime, logStore, alerts, name, unsettledMs, stream, limits = {}, clock, ids, log } = deps;
  const claims = createClaimsStore(db);
  const letters = createDeadLettersStore(db);
  const writers = createWritersStore(db);
  const stamps = createStamps(clock);
  const writer = createWriterService({
    writer: name,
    db,
    claims,
    deadLetters: letters,
    logStore,
    stamps,
    writers,
    unsettledMs,
    clock,
    ids,
    log,
  });
  const sources = createSourcesService({ store: createSourcesStore(db), alerts, clock, log });
  const publisher = stream && createPublisher({ db, stream, claims, deadLetters: letters, clock, ids });
  const streamWriter =
    stream && createStreamWriter({ db, stream, writer, sources, deadLetters: letters, clock, ids, log });
  const queue = createQueue({ writer: publisher ?? writer, clock, limits: { ...(stream && STREAM_QUEUE), ...limits } });
  const intake = createIntakeService({
    queue,
    writer,
    sources,
    ...(stream && { limits: STREAM_LIMITS }),
    clock,
    ids,
  });
  return {
    intake,
    /** Undefined where there is no stream. To be started, and closed after the intake and before its worker. */
    streamWriter,
    worker: createIntakeWorker({ name, writer, writers, stamps, sources, claims, deadLetters: letters, clock, log }),
    sources,
    stamps,
    writers,
    claims,
    bodies: createBodies({ clock }),
    deadLetters: createDeadLettersService({
      runtime,
      stores: { database: letters, showcase: createShowcaseDeadLetters() },
      intake,
      clock,
    }),
    delivery: createSyslogDelivery({ intake, clock, log }),
  };
}
