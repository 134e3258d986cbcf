import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { IntakeService } from "../intake.service.ts";
import type { Frame } from "./syslog-frames.ts";
import { readSyslog } from "./syslog-message.ts";

export interface SyslogDeliveryDeps {
  intake: Pick<IntakeService, "accept">;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn" | "error">;
}
export type SyslogDelivery = ReturnType<typeof createSyslogDelivery>;

// About a minute: how long the log store may be unreachable before the connection of the sender is closed.
const WAITS_MS = [250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Delivers syslog messages to the intake. The protocol has no acknowledgement, so the reader waits until they are
 * stored.
 */
export function createSyslogDelivery({ intake, clock, log }: SyslogDeliveryDeps) {
  async function deliver(frames: readonly Frame[], sender: string): Promise<void> {
    const now = clock.now();
    const found = frames.map(({ text, isCut }) => {
      const event = readSyslog(text, now);
      return isCut ? { ...event, fields: { ...event.fields, is_cut: true } } : event;
    });
    await intake.accept(found, { format: "syslog", sender });
  }

  return {
    /** Returns false when the messages could not be stored in time; their number is logged. */
    async deliver(frames: readonly Frame[], sender: string, hasRetries: boolean): Promise<boolean> {
      for (const waitMs of hasRetries ? WAITS_MS : []) {
        try {
          await deliver(frames, sender);
          return true;
        } catch (error) {
          if (!isTransient(error)) {
            log.error({ err: error, sender, lost: frames.length }, "syslog messages not stored");
            return false;
          }
          await clock.sleep(waitMs);
        }
      }
      try {
        await deliver(frames, sender);
        return true;
      } catch (error) {
        log.warn({ err: error, sender, lost: frames.length }, "syslog messages not stored");
        return false;
      }
    },
  };
}

function isTransient(error: unknown): boolean {
  return error instanceof Problem && (error.kind === "unavailable" || error.kind === "rate_limited");
}
