import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { TimeService } from "../time/time.service.ts";
import { createBackoff } from "./backoff.ts";
import type { EnrolmentService } from "./enrolment.service.ts";
import { isRenewalDue } from "./enrolment.ts";
import type { Troubles } from "./troubles.ts";

export interface RenewalServiceDeps {
  enrolments: Pick<EnrolmentService, "current" | "isExpired" | "renew">;
  time: Pick<TimeService, "now">;
  clock: Pick<Clock, "monotonicMs">;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "info" | "warn">;
  troubles: Pick<Troubles, "set" | "clear">;
  /** The certificate was replaced, or is no longer valid. */
  onChange: () => void;
}
export type RenewalService = ReturnType<typeof createRenewalService>;

const FIRST_MS = 60_000;
const MAX_MS = 60 * 60_000;
const REFUSED_MS = 60 * 60_000;
const REFUSED = "address: the platform refuses this device; ask its administrator";

/** Renews the certificate after half of its life, and asks once an hour whether a refusal still holds. */
export function createRenewalService(deps: RenewalServiceDeps) {
  const { enrolments, time, clock, ids, log, troubles, onChange } = deps;
  const backoff = createBackoff({ firstMs: FIRST_MS, maxMs: MAX_MS, ids });
  let nextMs = 0;
  let isBusy = false;

  function isDue(): boolean {
    const enrolment = enrolments.current();
    if (!enrolment || isBusy || enrolments.isExpired() || clock.monotonicMs() < nextMs) return false;
    return enrolment.is_refused || isRenewalDue(enrolment, time.now() / 1000);
  }

  async function attempt(): Promise<void> {
    const wasRefused = enrolments.current()?.is_refused ?? false;
    if (await enrolments.renew()) {
      backoff.reset();
      troubles.clear("renewal");
      log.info({}, "renewed the certificate for the security platform");
      onChange();
      return;
    }
    if (!wasRefused) log.warn({}, "security platform refused this device");
    nextMs = clock.monotonicMs() + REFUSED_MS;
    troubles.set("renewal", REFUSED);
    onChange();
  }

  return {
    /** Call every minute; it does something when it is time. */
    async look(): Promise<void> {
      if (!isDue()) return;
      isBusy = true;
      try {
        await attempt();
      } catch (error) {
        if (!(error instanceof Problem)) log.warn({ err: error }, "certificate renewal failed");
        troubles.set("renewal", error instanceof Problem ? error.message : "renewal: internal error");
        nextMs = clock.monotonicMs() + backoff.next();
      } finally {
        isBusy = false;
      }
    },

    /** The device was refused elsewhere: the next attempt is an hour from now. */
    noteRefusal(): void {
      nextMs = clock.monotonicMs() + REFUSED_MS;
      troubles.set("renewal", REFUSED);
    },

    reset(): void {
      nextMs = 0;
      backoff.reset();
    },
  };
}
