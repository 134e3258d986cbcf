import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Frame } from "@kit/http/frame";
import { closeGracefully } from "@kit/http/service";
import type { Log } from "@kit/log";
import { createDatabase } from "../adapters/postgres.ts";
import { createAlertChanges } from "../casework/alerts/alert-changes.service.ts";
import { createAlertsService } from "../casework/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../casework/alerts/alerts.store.ts";
import { createCaseItemsService } from "../casework/cases/case-items.service.ts";
import { createCaseReads } from "../casework/cases/case-reads.store.ts";
import { createCasesService } from "../casework/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../casework/cases/cases.showcase.ts";
import { createEvidenceService } from "../casework/cases/evidence.service.ts";
import { createCheckpointFile } from "../casework/ledger/checkpoint-file.store.ts";
import { createLedgerService } from "../casework/ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../casework/ledger/ledger.showcase.ts";
import { createLedgerStore } from "../casework/ledger/ledger.store.ts";
import { createLedgerWorker } from "../casework/ledger/ledger.worker.ts";
import { createSitesService } from "../casework/sites/sites.service.ts";
import { createShowcaseSitesStore, createSitesStore } from "../casework/sites/sites.store.ts";
import { createTopologyService, type TopologyServiceDeps } from "../casework/sites/topology.service.ts";
import { createAttackService } from "../detection/attack/attack.service.ts";
import { createAttackStore, createShowcaseAttackStore } from "../detection/attack/attack.store.ts";
import { createIocHitsService } from "../detection/iocs/ioc-hits.service.ts";
import { createVerdicts } from "../detection/matches/feedback.service.ts";
import { createDetections } from "../detection/rules/detections.service.ts";
import { createShowcaseDetections } from "../detection/rules/detections.showcase.ts";
import { sweepRuns } from "../detection/runs/runs.store.ts";
import { createAuditService } from "../foundation/audit/audit.service.ts";
import { createAuditStore } from "../foundation/audit/audit.store.ts";
import { createEntriesStore, createShowcaseEntriesStore } from "../foundation/audit/entries.store.ts";
import { createEventsService } from "../foundation/events/events.service.ts";
import { createEventsStore } from "../foundation/events/events.store.ts";
import { createMemoryOutboundStore } from "../foundation/outbound/memory-outbound.store.ts";
import { createOutboundStore, recordStart } from "../foundation/outbound/outbound.store.ts";
import { openKeyFile } from "../foundation/records/key-file.ts";
import { openLedgerKey } from "../foundation/records/ledger-key.store.ts";
import { beside } from "../foundation/runtime/beside.ts";
import { createChangesService } from "../foundation/runtime/changes.service.ts";
import type { Mode } from "../foundation/runtime/runtime.schema.ts";
import { createRuntimeService } from "../foundation/runtime/runtime.service.ts";
import { createApiKeysService } from "../identity/api-keys/api-keys.service.ts";
import { createApiKeysStore, createShowcaseApiKeysStore } from "../identity/api-keys/api-keys.store.ts";
import { createRequestCountsStore } from "../identity/auth/request-counts.store.ts";
import { createSessionsService } from "../identity/auth/sessions.service.ts";
import { createSessionsStore, createShowcaseSessionsStore } from "../identity/auth/sessions.store.ts";
import { createSigningKeysService } from "../identity/auth/signing-keys.service.ts";
import { createShowcaseSigningKeysStore, createSigningKeysStore } from "../identity/auth/signing-keys.store.ts";
import { ARGON2_PASSWORDS } from "../identity/users/passwords.ts";
import { createUsersService, type FirstUserStore } from "../identity/users/users.service.ts";
import { createShowcaseUsersStore, createUsersStore } from "../identity/users/users.store.ts";
import { createSyslogWorker, type SyslogWorkerDeps } from "../logs/intake/syslog/syslog.worker.ts";
import type { LogStore } from "../logs/search/log-store.ts";
import { createPromoteService } from "../logs/search/promote.service.ts";
import { createProofService } from "../reporting/mode-proof/mode-proof.service.ts";
import { sealPlainChannels } from "../response/notifications/channels.store.ts";
import { createSealing, KEY_BYTES, type Sealing } from "../response/notifications/sealing.ts";
import { createRetelling } from "../showcase/retelling.ts";
import { createSocApp, type SocAppDeps } from "./app.ts";
import { createResponse, type ResponseSettings } from "./platform-response.ts";
import { createSiem } from "./platform-siem.ts";
import { createStreams, type StreamSettings } from "./platform-streams.ts";
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
