import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { OutboundPolicy } from "@kit/guard/target";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { openAudio } from "./audio-source.ts";
import { openStream } from "./open-stream.ts";
import { createRelay } from "./relay.ts";
import type { Stream, StreamEvent } from "./stream.ts";

export interface StreamsServiceDeps {
  guard: OutboundGuard;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  ids: Pick<Ids, "secret">;
  log: Log;
  policy: () => { allowPrivate: boolean };
  /** How long a broken stream is retried; 0 means no limit. */
  retryMinutes: () => number;
}
export type StreamsService = ReturnType<typeof createStreamsService>;

const CHECK_TIMEOUT_MS = 5000;

export function createStreamsService({ guard, clock, ids, log, policy, retryMinutes }: StreamsServiceDeps) {
  const relay = createRelay({ ids });
  const outboundPolicy = (): OutboundPolicy => ({
    schemes: ["http:", "https:"],
    allowPrivate: policy().allowPrivate,
  });
  const connect = (url: string, signal: AbortSignal) => openAudio(url, { guard, policy: outboundPolicy(), signal });

  async function check(field: string, url: string): Promise<void> {
    try {
      await guard.check(url, { field, policy: outboundPolicy(), connectTimeoutMs: CHECK_TIMEOUT_MS });
    } catch (error) {
      if (error instanceof Problem && error.kind === "unavailable") return;
      throw error;
    }
  }

  return {
    start: () => relay.start(),
    close: () => relay.close(),

    /**
     * Refuses a URL that is not allowed for streams. A name that cannot be resolved now is accepted, because it may be
     * resolved later.
     */
    check,

    /** Connects immediately, and reconnects until the stream is closed or has failed. */
    open: (url: string, listener: (event: StreamEvent) => void): Stream =>
      openStream(url, listener, { connect, relay, clock, log, retryMinutes }),
  };
}
