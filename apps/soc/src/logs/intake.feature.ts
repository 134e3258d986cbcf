import type { AlertsService } from "../alerts/module.ts";
import type { Base, Registrations } from "../foundation/base.ts";
import type { Tx } from "../foundation/database/tables.ts";
import type { LogStreams } from "../foundation/events/log-streams.ts";
import type { Showcase } from "../foundation/showcase/showcase.ts";
import type { Machine } from "../identity/module.ts";
import type { LogStore } from "../ports/log-store.ts";
import { deadLettersRoutes } from "./intake/dead-letters.routes.ts";
import { createDeadLettersService } from "./intake/dead-letters.service.ts";
import { dropsRoutes } from "./intake/drops.routes.ts";
import { createDropsService } from "./intake/drops.service.ts";
import { createDropsStore } from "./intake/drops.store.ts";
import { createBodies } from "./intake/formats/body.ts";
import { intakeRoutes } from "./intake/intake.routes.ts";
import { createIntakeService } from "./intake/intake.service.ts";
import { createIntakeWorker } from "./intake/intake.worker.ts";
import { otherIntakesRoutes } from "./intake/other-intakes.routes.ts";
import { createClaimsStore } from "./intake/pipeline/claims.store.ts";
import { createDeadLettersStore, createShowcaseDeadLetters } from "./intake/pipeline/dead-letters.store.ts";
import { createIngestWatermark } from "./intake/pipeline/ingest-watermark.ts";
import { createQueue, type QueueLimits } from "./intake/pipeline/queue.ts";
import { INTAKE } from "./intake/pipeline/silence.ts";
import { createStoreAlarm } from "./intake/pipeline/store-alarm.ts";
import { STREAM_LIMITS } from "./intake/pipeline/stream-chunk.ts";
import { createWriterService } from "./intake/pipeline/writer.service.ts";
import { createWriterSession } from "./intake/pipeline/writer-session.ts";
import { createWritersStore } from "./intake/pipeline/writers.store.ts";
import { sourceSettingsRoutes } from "./intake/source-settings/source-settings.routes.ts";
import { createSourceSettingsService } from "./intake/source-settings/source-settings.service.ts";
import { createSourceSettingsStore } from "./intake/source-settings/source-settings.store.ts";
import { createSourcesService } from "./intake/sources.service.ts";
import { createSourcesStore, createSourcesWriter } from "./intake/sources.store.ts";
import { createSyslogWorker, type SyslogWorkerDeps } from "./intake/syslog/syslog.worker.ts";
import { createSyslogDelivery } from "./intake/syslog/syslog-delivery.ts";
import { createNamesStore } from "./partitions/names.store.ts";
import { createPartitions } from "./partitions/partitions.feature.ts";
import { createPublisher } from "./partitions/publisher.ts";

export interface IntakePartsNeeds {
  logStore: Pick<LogStore, "insert" | "count">;
  alerts: Pick<AlertsService, "create" | "closeByItself">;
  /** The name of the machine. The name of the writer begins with it, and is unique to the process. */
  name: string;
  /** The log store aborts the inserts of a killed process, so the process has ended as soon as its session is gone. */
  hasSession?: boolean;
  /** How long an unacknowledged insert may still take effect. */
  uncertainMs: number;
  /**
   * With streams, logs go through them and the owners of partitions store them. Without streams, this process stores
   * them.
   */
  streams?: LogStreams | undefined;
  limits?: Partial<QueueLimits>;
}

export interface IntakeNeeds extends Pick<IntakePartsNeeds, "alerts" | "streams"> {
  logStore: Pick<LogStore, "insert" | "lane">;
  machine: Pick<Machine, "hostname" | "deployment_mode">;
  syslog: Pick<SyslogWorkerDeps, "host" | "tcpPort" | "udpPort" | "tlsPort" | "tls">;
}

// Longer than the log store works on one insert (`insertSeconds`) and on its response.
const UNCERTAIN_MS = 40_000;
// Owners combine small groups into large ones. A request may wait while the stream servers elect a leader.
const STREAM_QUEUE = { groupMs: 20, busyMs: 20, groupConcurrency: 4, waitMs: 15_000 };

/** The sender name of the demo sources. */
const DEMO = "demo";

const DROPS_SECONDS = 30 * 24 * 60 * 60;

/** All protocols that receive logs, and the writer that stores the logs. */
export function createIntake(base: Base, { logStore, alerts, machine, streams, syslog }: IntakeNeeds) {
  const { clock, log } = base;
  const parts = createIntakeParts(base, {
    // New logs wait for the queries of the writer as they wait for the stream.
    logStore: { ...logStore.lane("stream"), insert: (batch, options) => logStore.insert(batch, options) },
    alerts,
    streams,
    name: machine.hostname,
    // On a single machine the engine ends with this process, and with it every insert. On other platforms it outlives
    // this process.
    uncertainMs: machine.deployment_mode === "one_box" ? 0 : UNCERTAIN_MS,
    hasSession: machine.deployment_mode === "one_box",
  });
  const { intake, bodies, deadLetters, sources, settings, drops, writers, worker, partitions, delivery } = parts;
  const syslogWorker = createSyslogWorker({ ...syslog, delivery, drops, clock, log });
  return {
    services: {
      intake,
      bodies,
      writers,
      /** Undefined without streams. */
      partitions,
      counters: async () => new Map((await sources.states()).map((state) => [state.source, state])),
      findSources: (names: readonly string[]) => sources.find(names),
      settings: () => settings.all(),
    },
    registrations: [
      /** The writer. The API also stores logs: replayed dead letters, and events of devices. */
      {
        roles: ["api", "intake"] as const,
        serving: [
          worker,
          ...(partitions ? [partitions.check] : []),
          { start: () => undefined, close: () => intake.close() },
        ],
      },
      /** The routes for senders of logs. */
      {
        roles: ["intake"] as const,
        rootRoutes: [otherIntakesRoutes(intake, bodies, clock)],
        routes: [intakeRoutes(intake, bodies)],
        serving: [
          {
            async start() {
              await syslogWorker.start();
            },
            close: () => syslogWorker.close(),
          },
        ],
      },
      {
        async storeDemo(tx: Tx, { log_counters, logs }: Showcase): Promise<void> {
          const states = [...log_counters].map(([source, counts]) => {
            const times = logs
              .filter((each) => each.source === source)
              .map(({ ingested_at }) => Date.parse(ingested_at));
            return { source, ...counts, last_seen: new Date(Math.max(...times)) };
          });
          await createSourcesWriter(tx).insertKnown(states, DEMO);
        },
        measures: [
          {
            name: "intake_events_total",
            help: "Events that this process received: stored, kept as dead letters, or refused with their request.",
            kind: "counter" as const,
            label: "result",
            read: () => intake.counts(),
          },
          ...(partitions?.measures ?? []),
        ],
        readers: { dead_letter: ["siem:read"] as const, source: ["siem:read"] as const },
        routes: [deadLettersRoutes(deadLetters), dropsRoutes(drops), sourceSettingsRoutes(settings, base.changes)],
      },
    ] satisfies Registrations[],
  };
}

/** The pipeline from a request to the log store. The caller starts its workers. */
export function createIntakeParts(
  {
    db,
    audit,
    runtime,
    clock,
    ids,
    log,
  }: Pick<Base, "db" | "audit" | "clock" | "ids" | "log"> & {
    runtime: Pick<Base["runtime"], "choose"> & Partial<Pick<Base["runtime"], "requireClock">>;
  },
  {
    logStore,
    alerts,
    name: machineName,
    hasSession = false,
    uncertainMs,
    streams,
    limits = {},
    ...needs
  }: IntakePartsNeeds,
) {
  // More than the name of the machine: two processes of one machine, or of two machines with the same name, must not
  // mistake each other's inserts for their own.
  const name = `${machineName} ${ids.next()}`;
  const claims = createClaimsStore(db);
  const letters = createDeadLettersStore(db);
  const writers = createWritersStore(db);
  const ingestWatermark = createIngestWatermark(clock);
  const alarm = createStoreAlarm({
    raise: (alert) => db.transaction().execute((tx) => alerts.create(tx, INTAKE, alert)),
    clock,
    log,
  });
  const writer = createWriterService({
    writer: name,
    db,
    claims,
    deadLetters: letters,
    logStore,
    ingestWatermark,
    writers,
    uncertainMs,
    requireClock: runtime.requireClock,
    alarm,
    clock,
    log,
  });
  const sourcesStore = createSourcesStore(db);
  const sources = createSourcesService({ store: sourcesStore, alerts, clock, log });
  const settings = createSourceSettingsService({ store: createSourceSettingsStore(db), audit, clock, log });
  const dropsStore = createDropsStore(db);
  const drops = createDropsService({
    runtime,
    stores: { database: dropsStore, showcase: { all: async () => [] } },
    clock,
    log,
  });
  const partitions =
    streams &&
    createPartitions(
      { db, clock, ids, log },
      { streams, logStore, sources, deadLetters: letters, alarm, claims, settlePending: writer.settleNow },
    );
  const publisher =
    streams &&
    createPublisher({ db, ...streams, names: createNamesStore(db), claims, deadLetters: letters, clock, ids });
  const queue = createQueue({
    writer: publisher ?? writer,
    clock,
    limits: { ...(streams && STREAM_QUEUE), ...limits },
  });
  const intake = createIntakeService({
    queue,
    writer,
    sources,
    settings,
    ...needs,
    ...(streams && { limits: STREAM_LIMITS }),
    clock,
    ids,
  });
  const worker = createIntakeWorker({
    name,
    writer: streams ? undefined : writer,
    session: hasSession && !streams ? createWriterSession({ db, name, clock, log }) : undefined,
    writers,
    ingestWatermark,
    sources,
    drops,
    claims,
    deadLetters: letters,
    sweeps: [() => dropsStore.sweep(DROPS_SECONDS), () => sourcesStore.sweep(), () => writers.sweep()],
    clock,
    log,
  });
  return {
    name,
    intake,
    /** Undefined without streams. */
    partitions,
    worker,
    sources,
    settings,
    drops,
    ingestWatermark,
    writers: partitions ? partitions.joinWatermarks(writers) : writers,
    claims,
    bodies: createBodies({ clock }),
    deadLetters: createDeadLettersService({
      db,
      audit,
      runtime,
      stores: { database: letters, showcase: createShowcaseDeadLetters() },
      intake,
      clock,
    }),
    delivery: createSyslogDelivery({ intake, drops, clock, log }),
  };
}
