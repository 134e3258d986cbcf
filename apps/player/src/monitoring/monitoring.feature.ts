import { release } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import type { FirmwareUpdater } from "../ota/firmware-updater.ts";
import type { Database } from "../storage/database.ts";
import type { SystemBody } from "../system/system.schema.ts";
import type { TimeService } from "../time/time.service.ts";
import { createAttestationRequestsStore } from "./attestation/attestation-requests.store.ts";
import type { BootReader } from "./attestation/boot-reader.ts";
import { createMeasure, type Program } from "./attestation/measurement.ts";
import { createAttestationService } from "./attestation.service.ts";
import { openBroker } from "./broker-client.ts";
import { createEnrolmentService } from "./enrolment.service.ts";
import { createEnrolmentStore } from "./enrolment.store.ts";
import { createLastMessage } from "./last-message.ts";
import { createMonitoringService, type MonitoringService } from "./monitoring.service.ts";
import { createPlatformClient } from "./platform-client.ts";
import { createPlatformExchange } from "./platform-exchange.ts";
import { createRenewalService } from "./renewal.service.ts";
import { createSecurityEventsService } from "./security-events.service.ts";
import { createSecurityEventsStore } from "./security-events.store.ts";
import { createSentMessagesStore } from "./sent-messages.store.ts";
import { createTroubles } from "./troubles.ts";

export interface MonitoringDeps {
  database: Database;
  dataFolder: string;
  guard: Pick<OutboundGuard, "check">;
  hardware: { updater: Pick<FirmwareUpdater, "slots">; boot: BootReader };
  program: Omit<Program, "version" | "kernel">;
  version: string;
  boot_failures: () => SystemBody["boot_failures"];
  events: Pick<Events, "onEvent">;
  time: Pick<TimeService, "now" | "isValid">;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** The monitoring feature. Until the device is enrolled it opens no connection and loads no library. */
export function createMonitoring(deps: MonitoringDeps): MonitoringService {
  const { database, dataFolder, guard, hardware, version, time, clock, ids, log } = deps;
  const nowS = () => Math.floor(time.now() / 1000);
  const troubles = createTroubles();
  const sent = createSentMessagesStore(database);
  const client = createPlatformClient({ clock });
  const exchange = createPlatformExchange({ client, guard, sent, nowS });
  const enrolments = createEnrolmentService({
    store: createEnrolmentStore(database),
    ...{ exchange, folder: join(dataFolder, "monitoring"), time, ids, log, troubles },
  });
  const onRefused = () => {
    enrolments.markRefused();
    renewal.noteRefusal();
    monitoring.follow();
  };
  const common = { enrolments, exchange, time, nowS, clock, ids, log, troubles, onRefused };
  const renewal = createRenewalService({ ...common, onChange: () => monitoring.follow() });
  const securityEvents = createSecurityEventsService({ ...common, store: createSecurityEventsStore(database) });
  const attestation = createAttestationService({
    ...common,
    ...{ sent, openBroker, requests: createAttestationRequestsStore(database) },
    measure: createMeasure({ ...hardware, program: { ...deps.program, version, kernel: release() } }),
  });
  const sendLast = createLastMessage({ client, nowS, ids, log });
  const monitoring = createMonitoringService({
    ...deps,
    ...{ enrolments, renewal, attestation, securityEvents, sent, sendLast, troubles },
  });
  return monitoring;
}
