import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { OutboundPolicy } from "@kit/guard/target";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { type AudioSource, openAudio } from "./audio-source.ts";
import { openStream, WRONG_ADDRESS } from "./open-stream.ts";
import { createRelay } from "./relay.ts";
import type { Station, Stream, StreamEvent } from "./stream.ts";

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

  async function connect(url: string, signal: AbortSignal): Promise<AudioSource> {
    checkText("url", url);
    try {
      return await openAudio(url, { guard, policy: outboundPolicy(), signal, clock });
    } catch (error) {
      if (!isWrongAddress(error)) throw error;
      throw new Problem("unavailable", explain(error).message, { code: error.code, cause: error });
    }
  }

  function checkText(field: string, url: string): void {
    try {
      guard.checkText(url, { field, policy: outboundPolicy() });
    } catch (error) {
      throw error instanceof Problem ? explain(error) : error;
    }
  }

  /** Names the setting that the owner can change. */
  function explain(error: Problem): Problem {
    const { kind, message, field } = error;
    if (!isWrongAddress(error) || policy().allowPrivate) return error;
    const reason = `${message}; the setting allow_private_streams also allows a private one`;
    return new Problem(kind, reason, { ...(field !== undefined && { field }), code: WRONG_ADDRESS, cause: error });
  }

  async function check(field: string, url: string): Promise<void> {
    try {
      await guard.check(url, { field, policy: outboundPolicy(), connectTimeoutMs: CHECK_TIMEOUT_MS });
    } catch (error) {
      if (error instanceof Problem && error.kind === "unavailable") return;
      throw error instanceof Problem ? explain(error) : error;
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

    /** Refuses a URL whose text alone is not allowed, and does not look its host up. */
    checkText,

    /** Connects immediately, and reconnects until the stream is closed or has failed. */
    open: (station: Station, listener: (event: StreamEvent) => void): Stream =>
      openStream(station, listener, { connect, relay, clock, log, retryMinutes }),
  };
}

/** The text of the URL was checked before, so this is an address behind its name, or behind a redirect. */
function isWrongAddress(error: unknown): error is Problem {
  return error instanceof Problem && error.code === WRONG_ADDRESS;
}
