import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { DropsService } from "../drops.service.ts";
import type { ParseResult } from "../formats/event.ts";
import { readSyslog } from "../formats/syslog-message.ts";
import type { IntakeService } from "../intake.service.ts";
import type { Frame } from "./syslog-frames.ts";

export interface SyslogDeliveryDeps {
  intake: Pick<IntakeService, "accept">;
  drops: Pick<DropsService, "count">;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn" | "error">;
}
export type SyslogDelivery = ReturnType<typeof createSyslogDelivery>;

// About a minute: how long the log store may be unreachable before the sender's connection is closed.
const WAITS_MS = [250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000];
// Yields to the event loop after this many messages, so that datagrams are received in between.
const BATCH_SIZE = 200;

/**
 * Delivers syslog messages to the intake. The protocol has no acknowledgement, so the reader waits until they are
 * stored.
 */
export function createSyslogDelivery({ intake, drops, clock, log }: SyslogDeliveryDeps) {
  async function parse(frames: readonly Frame[]): Promise<ParseResult[]> {
    const now = clock.now();
    const found: ParseResult[] = [];
    for (const { text, isCut, sender } of frames) {
      if (found.length % BATCH_SIZE === BATCH_SIZE - 1) await clock.sleep(0);
      const event = readSyslog(text, now);
      const fields = isCut ? { ...event.fields, is_cut: true } : event.fields;
      found.push({ ...event, fields, ...(sender !== undefined && { sender }) });
    }
    return found;
  }

  function drop(frames: readonly Frame[], sender: string): void {
    const lost = new Map<string, number>();
    for (const frame of frames) lost.set(frame.sender ?? sender, (lost.get(frame.sender ?? sender) ?? 0) + 1);
    for (const [each, count] of lost) drops.count(each, count);
  }

  return {
    /**
     * Returns false if the messages could not be stored in time; they are then counted as dropped. A frame may name its
     * own sender.
     */
    async deliver(frames: readonly Frame[], sender: string): Promise<boolean> {
      let found: ParseResult[] | undefined;
      /** Returns undefined if the messages are stored. */
      async function attempt(): Promise<unknown> {
        try {
          found ??= await parse(frames);
          await intake.accept(found, { format: "syslog", sender });
          return undefined;
        } catch (error) {
          return error;
        }
      }
      let error = await attempt();
      for (const waitMs of WAITS_MS) {
        if (error === undefined || isHopeless(error)) break;
        await clock.sleep(waitMs);
        error = await attempt();
      }
      if (error === undefined) return true;
      log.warn({ err: error, sender, lost: frames.length }, "syslog messages not stored");
      drop(frames, sender);
      return false;
    },
  };
}

/** The messages themselves are refused. Any other error may pass while syslog retries. */
function isHopeless(error: unknown): boolean {
  return error instanceof Problem && (error.kind === "invalid" || error.kind === "conflict");
}
