import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import type { SystemBody } from "../system/system.schema.ts";
import type { TimeService } from "../time/time.service.ts";
import type { AttestationService } from "./attestation.service.ts";
import type { EnrolmentService } from "./enrolment.service.ts";
import type { LastMessage } from "./last-message.ts";
import type { EnrolRequest, MonitoringBody, MonitoringState, RemovalBody, SentBody } from "./monitoring.schema.ts";
import type { RenewalService } from "./renewal.service.ts";
import type { SecurityEventsService } from "./security-events.service.ts";
import type { SentMessagesStore } from "./sent-messages.store.ts";
import type { Troubles } from "./troubles.ts";

export interface MonitoringServiceDeps {
  enrolments: EnrolmentService;
  renewal: RenewalService;
  attestation: AttestationService;
  securityEvents: SecurityEventsService;
  sent: Pick<SentMessagesStore, "page" | "counts">;
  sendLast: LastMessage;
  troubles: Troubles;
  version: string;
  boot_failures: () => SystemBody["boot_failures"];
  events: Pick<Events, "onEvent">;
  time: Pick<TimeService, "isValid">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "info">;
}
export type MonitoringService = ReturnType<typeof createMonitoringService>;

const LOOK_MS = 60_000;
const NO_TIME = "clock: this device's clock is not set; certificates cannot be checked";
/** The end of an update, in the words of the events. */
const UPDATE_ENDS: ReadonlyMap<string, string> = new Map([
  ["success", "installed"],
  ["failed", "failed"],
  ["rolled_back", "rolled_back"],
]);

/** Monitoring by a security platform: off until the owner enrols the device, and removable at any time. */
export function createMonitoringService(deps: MonitoringServiceDeps) {
  const { enrolments, renewal, attestation, securityEvents, sent, sendLast, troubles, log } = deps;
  const { version, boot_failures, events, time, clock } = deps;
  const timer = createTimer(clock);
  const reported = new Set<string>();
  let lastUpdate: string | undefined;
  let wasUsable = false;
  let stopListening = (): void => undefined;

  function reportBootFailures(): void {
    for (const { component, error } of boot_failures()) {
      const name = `${component} ${error}`;
      if (reported.has(name)) continue;
      reported.add(name);
      securityEvents.add("boot_failure", { component, error });
    }
  }

  /** Checks once a minute, because the wall clock may jump and certificates expire by it. */
  function look(): void {
    if (!enrolments.current()) return;
    timer.set(LOOK_MS, look);
    if (time.isValid()) troubles.clear("clock");
    else troubles.set("clock", NO_TIME);
    reportBootFailures();
    const isUsable = enrolments.identity() !== undefined;
    if (isUsable !== wasUsable) follow();
    if (time.isValid()) void renewal.look();
    securityEvents.wake();
  }

  /** The identity has changed. */
  function follow(): void {
    wasUsable = enrolments.identity() !== undefined;
    attestation.restart();
    securityEvents.wake();
  }

  function end(): void {
    timer.cancel();
    attestation.restart();
    securityEvents.forget();
    renewal.reset();
    troubles.clearAll();
    reported.clear();
    wasUsable = false;
  }

  function judgeState(): MonitoringState {
    const enrolment = enrolments.current();
    if (enrolments.isEnrolling()) return "enrolling";
    if (!enrolment) return "off";
    if (enrolment.is_refused) return "refused";
    if (enrolments.isExpired()) return "expired";
    const isConnected = enrolment.broker === null || attestation.connection() === "connected";
    return isConnected && !troubles.hasAny() ? "on" : "waiting";
  }

  function status(): MonitoringBody {
    const enrolment = enrolments.current();
    return {
      state: judgeState(),
      device_id: enrolment?.device_id ?? null,
      address: enrolment?.address ?? null,
      certificate_ends_at: enrolment?.not_after ?? null,
      broker: attestation.connection(),
      last_attested_at: enrolment?.attested_at ?? null,
      last_error: troubles.last(),
      events: { waiting: securityEvents.waiting(), dropped: securityEvents.dropped() },
    };
  }

  return {
    status,
    follow,
    countWrongToken: (): void => securityEvents.countWrongToken(),
    sent: (cursor: number | undefined): SentBody => sent.page(cursor),

    async enrol(request: EnrolRequest): Promise<MonitoringBody> {
      await enrolments.enrol(request);
      troubles.clearAll();
      renewal.reset();
      follow();
      look();
      return status();
    },

    /** Removes everything of the enrolment from this device. Returns what only the platform can delete. */
    remove(): RemovalBody["platform_keeps"] {
      const enrolment = enrolments.current();
      const messages = sent.counts();
      enrolments.remove();
      end();
      if (!enrolment) return null;
      log.info({ address: enrolment.address }, "enrolment at a security platform removed");
      return { address: enrolment.address, device_id: enrolment.device_id, messages };
    },

    /** For a factory reset, after the tables were emptied. The platform gets one last message: that this happened. */
    erase(): void {
      const identity = enrolments.identity();
      enrolments.forget();
      end();
      if (identity) sendLast(identity);
    },

    async start(): Promise<void> {
      stopListening = events.onEvent(({ type, data }) => {
        if (type !== "ota" || !("status" in data)) return;
        const { status: now } = data;
        const ended = now === lastUpdate ? undefined : UPDATE_ENDS.get(now);
        lastUpdate = now;
        if (ended === undefined) return;
        const error = "error" in data ? data.error : "";
        securityEvents.add("update", { result: ended, version, ...(error !== "" && { error }) });
      });
      await enrolments.open();
      if (!enrolments.current()) return;
      follow();
      look();
    },

    async close(): Promise<void> {
      stopListening();
      timer.cancel();
      securityEvents.close();
      await attestation.close();
    },
  };
}
