import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Frame } from "@kit/http/frame";
import { closeGracefully } from "@kit/http/service";
import type { Log } from "@kit/log";
import { createDatabase } from "./adapters/postgres.ts";
import { createAlertChanges } from "./alerts/alert-changes.service.ts";
import { createAlertsService } from "./alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "./alerts/alerts.store.ts";
import { createApiKeysService } from "./api-keys/api-keys.service.ts";
import { createApiKeysStore, createShowcaseApiKeysStore } from "./api-keys/api-keys.store.ts";
import { createSocApp, type SocAppDeps } from "./app.ts";
import { createAttackService } from "./attack/attack.service.ts";
import { createAttackStore, createShowcaseAttackStore } from "./attack/attack.store.ts";
import { createAuditService } from "./audit/audit.service.ts";
import { createAuditStore } from "./audit/audit.store.ts";
import { createEntriesStore, createShowcaseEntriesStore } from "./audit/entries.store.ts";
import { createRequestCountsStore } from "./auth/request-counts.store.ts";
import { createSessionsService } from "./auth/sessions.service.ts";
import { createSessionsStore, createShowcaseSessionsStore } from "./auth/sessions.store.ts";
import { createSigningKeysService } from "./auth/signing-keys.service.ts";
import { createShowcaseSigningKeysStore, createSigningKeysStore } from "./auth/signing-keys.store.ts";
import { createCaseItemsService } from "./cases/case-items.service.ts";
import { createCaseReads } from "./cases/case-reads.store.ts";
import { createCasesService } from "./cases/cases.service.ts";
import { createEvidenceService } from "./cases/evidence.service.ts";
import { createShowcaseCaseReads } from "./cases/showcase-cases.store.ts";
import { createDetections } from "./detections/detections.service.ts";
import { createVerdicts } from "./detections/feedback.service.ts";
import { sweepRuns } from "./detections/runs.store.ts";
import { createShowcaseDetections } from "./detections/showcase-detections.store.ts";
import { createEventsService } from "./events/events.service.ts";
import { createEventsStore } from "./events/events.store.ts";
import { createSyslogWorker, type SyslogWorkerDeps } from "./intake/syslog.worker.ts";
import { createIocHitsService } from "./iocs/ioc-hits.service.ts";
import { createCheckpointFile } from "./ledger/checkpoint-file.store.ts";
import { createLedgerService } from "./ledger/ledger.service.ts";
import { createLedgerStore } from "./ledger/ledger.store.ts";
import { createLedgerWorker } from "./ledger/ledger.worker.ts";
import { openLedgerKey } from "./ledger/ledger-key.store.ts";
import { createShowcaseLedgerStore } from "./ledger/showcase-ledger.store.ts";
import { sealPlainChannels } from "./notifications/channels.store.ts";
import { createSealing, KEY_BYTES, type Sealing } from "./notifications/sealing.ts";
import { createMemoryOutboundStore } from "./outbound/memory-outbound.store.ts";
import { createOutboundStore, recordStart } from "./outbound/outbound.store.ts";
import { createProofService } from "./outbound/proof.service.ts";
import { createResponse, type ResponseSettings } from "./platform-response.ts";
import { createSiem } from "./platform-siem.ts";
import { createStreams, type StreamSettings } from "./platform-streams.ts";
import { openKeyFile } from "./records/key-file.ts";
import { createChangesService } from "./runtime/changes.service.ts";
import type { Mode } from "./runtime/runtime.schema.ts";
import { createRuntimeService } from "./runtime/runtime.service.ts";
import { createTopologyService, type TopologyServiceDeps } from "./runtime/topology.service.ts";
import { beside } from "./showcase/beside.ts";
import { createRetelling } from "./showcase/retelling.ts";
import type { LogStore } from "./siem/log-store.ts";
import { createPromoteService } from "./siem/promote.service.ts";
import { createSitesService } from "./sites/sites.service.ts";
import { createShowcaseSitesStore, createSitesStore } from "./sites/sites.store.ts";
import { ARGON2_PASSWORDS } from "./users/passwords.ts";
import { createUsersService, type FirstUserStore } from "./users/users.service.ts";
import { createShowcaseUsersStore, createUsersStore } from "./users/users.store.ts";
import { createWorker, type WorkerParts } from "./worker.ts";

type AppSettings = Pick<
  SocAppDeps,
  | "tls"
  | "version"
  | "consoleFolder"
  | "addressLimitPerMinute"
  | "generalLimitPerMinute"
  | "intakeLimitPerMinute"
  | "playbookLimitPerMinute"
>;

export interface PlatformParts extends AppSettings {
  mode: Mode;
  databaseUrl: string | undefined;
  migrationsFolder: string;
  dataFolder: string;
  /** The key that signs the ledger's checkpoints; it never lies in the database. */
  ledgerKeyFile: string;
  machine: TopologyServiceDeps["machine"];
  response: ResponseSettings;
  /** The playbooks that come with the platform. */
  playbooksFolder: string;
  /** Whoever opens it closes it, after the platform. */
  logStore: LogStore;
  stream: StreamSettings;
  syslog: Pick<SyslogWorkerDeps, "host" | "tcpPort" | "udpPort" | "tlsPort" | "tls">;
  /** Makes this process a worker, which serves nobody and takes in nothing; left out, it is the service itself. */
  worker?: Pick<WorkerParts, "executorId" | "onLost">;
  /** Sees to it that there is somebody who can sign in. */
  welcomeAdmin: (users: FirstUserStore) => Promise<void>;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export interface Platform {
  app: Frame;
  close(): Promise<void>;
}

const SWEEP_MS = 10 * 60_000;
const MIGRATE_AGAIN_MS = 1000;
const RUNS_KEPT_MS = 30 * 24 * 60 * 60_000;

/** The whole service: one database, one showcase beside it, and the features on top of both. */
export async function createPlatform(parts: PlatformParts): Promise<Platform> {
  const { mode, databaseUrl, migrationsFolder, dataFolder, ledgerKeyFile, machine, welcomeAdmin } = parts;
  const { clock, ids, log } = parts;
  const start = { id: ids.next(), at: clock.now(), mode };
  const sealing = await openSealing(dataFolder, ids);
  const database = createDatabase({
    url: databaseUrl,
    migrationsFolder,
    clock,
    log,
    async onFirstAnswer(answering) {
      await welcomeAdmin(createUsersStore(answering));
      await recordStart(answering, start);
      await sealPlainChannels(answering, sealing);
    },
  });
  const { db } = database;
  const runtime = createRuntimeService({ mode, database });
  const retell = createRetelling(clock);
  const showcaseUsers = createShowcaseUsersStore(clock);
  if ((await runtime.truth()).uses_showcase_data) await welcomeAdmin(showcaseUsers);

  const audit = createAuditStore(ids);
  const key = await openLedgerKey(ledgerKeyFile);
  const ledger = createLedgerService({
    runtime,
    stores: beside(
      createLedgerStore(db),
      retell((showcase) => createShowcaseLedgerStore(showcase.ledger, key)),
    ),
    key,
    clock,
  });
  const outboundStores = {
    database: createOutboundStore(db),
    showcase: createMemoryOutboundStore({ start, isAlone: databaseUrl === undefined }),
  };
  const proofs = createProofService({ runtime, stores: outboundStores, key, clock });
  const alertChanges = createAlertChanges({ audit, clock });
  const cases = createCasesService({
    runtime,
    reads: beside(
      createCaseReads(db),
      retell((showcase) => createShowcaseCaseReads(showcase.cases)),
    ),
    audit,
    alerts: alertChanges,
    ledger,
    clock,
    ids,
  });
  const sites = createSitesService({
    runtime,
    stores: beside(
      createSitesStore(db),
      retell((showcase) => createShowcaseSitesStore(showcase.sites)),
    ),
    audit,
    ids,
    // Agents and devices come with their own features.
    isInUse: async () => false,
  });
  const alerts = createAlertsService({
    runtime,
    stores: beside(
      createAlertsStore(db),
      retell((showcase) => createShowcaseAlertsStore(showcase.alerts)),
    ),
    changes: alertChanges,
    verdicts: createVerdicts({ audit, clock, ids }),
    cases,
    audit,
    clock,
    ids,
  });
  const streams = createStreams({ ...parts.stream, db, runtime, clock, ids, log });
  const { intake, logs, logSources, hunts } = createSiem({
    db,
    runtime,
    logStore: parts.logStore,
    retell,
    alerts,
    audit,
    machine,
    stream: streams?.logs,
    clock,
    ids,
    log,
  });
  const iocHits = createIocHitsService({ db, alerts, clock, ids });
  const detections = createDetections({
    db,
    runtime,
    logStore: parts.logStore,
    showcase: retell((showcase) => createShowcaseDetections(showcase.detections, showcase.logs)),
    alerts,
    iocs: iocHits,
    audit,
    clock,
    ids,
  });
  const promotions = createPromoteService({
    logs,
    rules: detections.rules,
    suppressions: detections.suppressions,
    matches: detections.promotedMatches,
    alerts,
    stored: alertChanges,
    audit,
  });
  const events = createEventsService({ runtime, store: createEventsStore(db), clock, log });
  const worker = createLedgerWorker({
    db,
    runtime,
    key,
    file: createCheckpointFile(join(dataFolder, "ledger-checkpoints.ndjson")),
    clock,
    log,
  });
  const changes = createChangesService({ runtime, db });
  const users = createUsersService({
    runtime,
    stores: { database: createUsersStore(db), showcase: showcaseUsers },
    audit,
    passwords: ARGON2_PASSWORDS,
  });
  const auditLog = createAuditService({
    runtime,
    stores: beside(
      createEntriesStore(db),
      retell((showcase) => createShowcaseEntriesStore(showcase.audit)),
    ),
  });
  const caseItems = createCaseItemsService({ cases, audit, clock, ids });
  const response = await createResponse({
    ...{ db, runtime, changes, retell, outboundStores, audit, auditLog, alerts, alertChanges, cases, caseItems },
    ...{ ledger, logs, detections, iocHits, users, sealing, clock, ids, log },
    settings: parts.response,
    logStore: parts.logStore,
    playbooksFolder: parts.playbooksFolder,
  });
  const app = await createSocApp({
    ...parts,
    runtime,
    changes,
    response,
    requestCounts: createRequestCountsStore(db),
    signingKeys: createSigningKeysService({
      runtime,
      stores: { database: createSigningKeysStore(db), showcase: createShowcaseSigningKeysStore() },
      clock,
      ids,
    }),
    sessions: createSessionsService({
      runtime,
      stores: { database: createSessionsStore(db), showcase: createShowcaseSessionsStore() },
      clock,
      ids,
    }),
    users,
    apiKeys: createApiKeysService({
      runtime,
      stores: { database: createApiKeysStore(db), showcase: createShowcaseApiKeysStore() },
      audit,
      ids,
    }),
    proofs,
    journal: { record: (change) => audit.record(db, change) },
    topology: createTopologyService({ machine, runtime, sites }),
    alerts,
    cases,
    caseItems,
    evidence: createEvidenceService({ cases, ledger, audit, clock, ids }),
    sites,
    logs,
    hunts,
    promotions,
    logSources,
    intake,
    detections,
    attack: createAttackService({
      runtime,
      stores: { database: createAttackStore(db), showcase: createShowcaseAttackStore() },
      rules: detections.rules,
      audit,
      clock,
    }),
    ledger,
    audit: auditLog,
    events,
  });

  const closing = new AbortController();
  const migrating = migrateLogs(parts, closing.signal);
  const sweep = async () => {
    await events.sweep();
    if (databaseUrl === undefined) return;
    await sweepRuns(db, new Date(clock.now().getTime() - RUNS_KEPT_MS));
    await response.sweep();
  };
  const sweeping = sweepForEver({ sweep }, clock, closing.signal, log);
  const working = worker.run();
  const syslog = createSyslogWorker({ ...parts.syslog, delivery: intake.delivery, clock, log });
  const background =
    parts.worker &&
    databaseUrl !== undefined &&
    createWorker({
      ...parts.worker,
      databaseUrl,
      db,
      logStore: parts.logStore,
      writers: intake.writers,
      rules: detections.workerRules,
      response: response.createWork(),
      isAllowed: async () => (await runtime.truth()).is_internal_workflows_allowed,
      clock,
      log,
    });
  if (background) await background.start();
  else if (mode !== "dummy") {
    intake.worker.start();
    intake.streamWriter?.start();
    streams?.start();
    await syslog.start();
    response.start();
  }
  return {
    app,
    async close() {
      closing.abort();
      if (background) await background.close();
      await syslog.close();
      await intake.intake.close();
      await intake.streamWriter?.close();
      await intake.worker.close();
      await streams?.close();
      await response.close();
      worker.close();
      await closeGracefully(app, clock);
      await Promise.all([sweeping, working, migrating]);
      await database.close();
    },
  };
}

async function openSealing(dataFolder: string, ids: Ids): Promise<Sealing> {
  const path = join(dataFolder, "channels.key");
  return createSealing(await openKeyFile("channels.key", path, () => ids.secret(KEY_BYTES)), ids);
}

async function sweepForEver(
  events: { sweep(): Promise<unknown> },
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(SWEEP_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    await events.sweep().catch((error: unknown) => log.warn({ err: error }, "outbox not swept"));
  }
}

/** The log store may come later than this process; its tables are made when it first answers. */
async function migrateLogs(
  { databaseUrl, logStore, clock, log }: Pick<PlatformParts, "databaseUrl" | "logStore" | "clock" | "log">,
  signal: AbortSignal,
): Promise<void> {
  while (databaseUrl !== undefined && !signal.aborted) {
    try {
      await logStore.migrate();
      return;
    } catch (error) {
      log.warn({ err: error }, "log store is not ready");
      await clock.sleep(MIGRATE_AGAIN_MS, signal).catch(() => undefined);
    }
  }
}
