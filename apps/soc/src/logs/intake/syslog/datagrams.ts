import type { Clock } from "@kit/clock";
import type { DropsService } from "../drops.service.ts";
import type { SyslogDelivery } from "./syslog-delivery.ts";
import type { Frame } from "./syslog-frames.ts";

export interface DatagramsDeps {
  delivery: Pick<SyslogDelivery, "deliver">;
  drops: Pick<DropsService, "count">;
  limits: DatagramLimits;
  clock: Pick<Clock, "sleep">;
}

/** Backpressure for a protocol without acknowledgements: excess messages are dropped and counted for their sender. */
export interface DatagramLimits {
  /** The number of datagrams that are not stored yet. */
  datagrams: number;
  datagramBytes: number;
}

const COLLECT_MS = 50;
const BATCH_SIZE = 5000;
const DELIVERY_CONCURRENCY = 4;
/**
 * Above this share of the limit, each sender may hold only an equal part, so that a noisy device does not displace
 * others.
 */
const SHARED_FROM = 0.5;
const SENDER = "syslog/udp";

/** Collects the datagrams of all senders and delivers them together, without waiting until the previous ones are stored. */
export function createDatagrams({ delivery, drops, limits, clock }: DatagramsDeps) {
  let waiting: Frame[] = [];
  let heldBytes = 0;
  let heldCount = 0;
  const heldBySender = new Map<string, number>();
  const delivering = new Set<Promise<void>>();
  let collecting: Promise<void> | undefined;

  function hasRoom(sender: string, bytes: number): boolean {
    if (heldCount >= limits.datagrams || heldBytes + bytes > limits.datagramBytes) return false;
    const fill = Math.max(heldCount / limits.datagrams, heldBytes / limits.datagramBytes);
    return fill < SHARED_FROM || (heldBySender.get(sender) ?? 0) < limits.datagrams / Math.max(heldBySender.size, 1);
  }

  function hold({ sender = SENDER, text }: Frame, count: 1 | -1): void {
    heldCount += count;
    heldBytes += count * text.length;
    const left = (heldBySender.get(sender) ?? 0) + count;
    if (left > 0) heldBySender.set(sender, left);
    else heldBySender.delete(sender);
  }

  async function deliver(frames: readonly Frame[]): Promise<void> {
    await delivery.deliver(frames, SENDER);
    for (const frame of frames) hold(frame, -1);
  }

  async function collect(): Promise<void> {
    while (waiting.length > 0) {
      await clock.sleep(COLLECT_MS);
      while (delivering.size >= DELIVERY_CONCURRENCY) await Promise.race(delivering);
      const frames = waiting.slice(0, BATCH_SIZE);
      waiting = waiting.slice(BATCH_SIZE);
      const delivered = deliver(frames).finally(() => delivering.delete(delivered));
      delivering.add(delivered);
    }
    collecting = undefined;
  }

  return {
    push(text: string, isCut: boolean, address: string): void {
      const sender = `${SENDER}:${address}`;
      if (!hasRoom(sender, text.length)) {
        drops.count(sender, 1);
        return;
      }
      const frame = { text, isCut, sender };
      hold(frame, 1);
      waiting.push(frame);
      collecting ??= collect();
    },

    /** Resolves when all datagrams are stored or dropped. */
    async close(): Promise<void> {
      await collecting;
      await Promise.all(delivering);
    },
  };
}
