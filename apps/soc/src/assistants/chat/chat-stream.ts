import type { Clock } from "@kit/clock";
import type { Sink } from "../../foundation/events/sink.ts";
import { type ChatEvent, formatChatFrame } from "./chat-event.ts";

export interface ChatStreamDeps {
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  /** Aborts when the client has disconnected. */
  gone: AbortSignal;
}

const HEARTBEAT_MS = 15_000;
// Backpressure: above this limit no event is created, and a reader that stays above it is disconnected.
const MAX_PENDING_BYTES = 64 * 1024;
const STALLED_TIMEOUT_MS = 10_000;
const ROOM_POLL_MS = 50;

/** Sends events at the pace of the reader, and comments in between. */
export async function sendEvents(events: AsyncGenerator<ChatEvent>, sink: Sink, deps: ChatStreamDeps): Promise<void> {
  const { clock, gone } = deps;

  async function nextEvent(): Promise<IteratorResult<ChatEvent>> {
    const pending = events.next();
    for (;;) {
      const arrived = new AbortController();
      const beat = clock.sleep(HEARTBEAT_MS, arrived.signal).then(
        () => "silence" as const,
        () => "silence" as const,
      );
      const next = await Promise.race([pending, beat]);
      arrived.abort();
      if (next !== "silence") return next;
      sink.write(": heartbeat\n\n");
    }
  }

  async function isBelow(bytes: number): Promise<boolean> {
    const start = clock.monotonicMs();
    while (sink.pendingBytes() > bytes) {
      if (gone.aborted || clock.monotonicMs() - start >= STALLED_TIMEOUT_MS) return false;
      await clock.sleep(ROOM_POLL_MS);
    }
    return true;
  }

  for (let next = await nextEvent(); !next.done; next = await nextEvent()) {
    sink.write(formatChatFrame(next.value));
    // Lets the event loop send the chunk; without a pause all chunks would leave together at the end.
    await clock.sleep(0);
    if (await isBelow(MAX_PENDING_BYTES)) continue;
    sink.cut();
    await events.return(undefined);
    return;
  }
  sink.end();
  if (!(await isBelow(0))) sink.cut();
}
