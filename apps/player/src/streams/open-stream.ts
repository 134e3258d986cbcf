import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { AudioSource } from "./audio-source.ts";
import { retryDelayMs } from "./reconnect.ts";
import type { Outlet, Relay } from "./relay.ts";
import type { Station, Stream, StreamEvent } from "./stream.ts";

export interface OpenStreamDeps {
  /** The signal closes the connection, also after it was opened. */
  connect: (url: string, signal: AbortSignal) => Promise<AudioSource>;
  relay: Pick<Relay, "open">;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  log: Pick<Log, "info" | "warn" | "error">;
  retryMinutes: () => number;
}

/** The code of the guard for an address that is not public. */
export const WRONG_ADDRESS = "address_forbidden";
// An outage ends when audio has sounded for this long; before that, the next break belongs to the same outage.
const STEADY_MS = 10_000;
// A connection that gives no sound for this long is broken off: the server sends too slowly, or no audio.
const MAX_SILENT_MS = 30_000;

/**
 * Fetches a stream for the engine, and reconnects after every break. The engine's load survives a break if the format
 * is the same.
 */
export function openStream(
  { url, isSaved }: Station,
  listener: (event: StreamEvent) => void,
  { connect, relay, clock, log, retryMinutes }: OpenStreamDeps,
): Stream {
  const closed = new AbortController();
  let connection = new AbortController();
  let outlet: Outlet | undefined;
  let outage: { sinceMs: number; tries: number } | undefined = { sinceMs: clock.monotonicMs(), tries: 0 };
  let hasConnected = false;
  let title = "";
  /** The engine sounds, or is silent, since this time. */
  let sound = { isAudible: false, sinceMs: clock.monotonicMs() };

  function emit(event: StreamEvent): void {
    if (!closed.signal.aborted) listener(event);
  }

  function close(): void {
    closed.abort();
    outlet?.end();
  }

  function fail(problem: Problem): void {
    log.warn({ url, err: problem }, "stream given up");
    emit({ type: "failed", problem });
    close();
  }

  function reconnect(): void {
    if (!outlet) return;
    outlet.end();
    outlet = undefined;
    connection.abort(new Problem("unavailable", "url: the audio engine could not continue"));
  }

  function announce(next: string): void {
    if (next === title) return;
    title = next;
    emit({ type: "title", title });
  }

  function outletFor(contentType: string): Outlet {
    if (outlet?.contentType === contentType) return outlet;
    outlet?.end();
    outlet = relay.open(contentType, reconnect);
    emit({ type: "ready", location: outlet.location });
    return outlet;
  }

  async function forward({ contentType, hasTitles, parts }: AudioSource, signal: AbortSignal): Promise<void> {
    const startMs = clock.monotonicMs();
    hasConnected = true;
    log.info({ url }, "stream connected");
    emit({ type: "connected" });
    if (!hasTitles) announce("");
    // The listener may have closed the stream.
    signal.throwIfAborted();
    const current = outletFor(contentType);
    for await (const { audio, titles } of parts) {
      titles.forEach(announce);
      await current.write(audio, signal);
      checkSound(startMs);
    }
  }

  function checkSound(startMs: number): void {
    const lastedMs = clock.monotonicMs() - Math.max(startMs, sound.sinceMs);
    if (sound.isAudible && lastedMs >= STEADY_MS) outage = undefined;
    if (!sound.isAudible && lastedMs >= MAX_SILENT_MS) {
      throw new Problem("unavailable", "url: what the server sends gives no sound");
    }
  }

  /** Runs one connection from its request to its break. Returns the reason of the break. */
  async function runConnection(): Promise<Problem> {
    connection = new AbortController();
    const signal = AbortSignal.any([closed.signal, connection.signal]);
    try {
      await forward(await connect(url, signal), signal);
      return new Problem("unavailable", "url: the stream ended");
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof Problem) return reason;
      throw reason;
    } finally {
      connection.abort();
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const problem = await runConnection();
      if (isFinal(problem, hasConnected || isSaved)) return fail(problem);
      const nowMs = clock.monotonicMs();
      outage ??= { sinceMs: nowMs, tries: 0 };
      if (outage.tries === 0) log.warn({ url, err: problem }, "stream is unreachable");
      const minutes = retryMinutes();
      const retryInMs = retryDelayMs({ elapsedMs: nowMs - outage.sinceMs, tries: outage.tries }, minutes);
      if (retryInMs === undefined) {
        return fail(new Problem("unavailable", `url: no steady audio came for ${minutes} min`, { cause: problem }));
      }
      outage.tries += 1;
      emit({ type: "waiting", retryInMs });
      await clock.sleep(retryInMs, closed.signal);
    }
  }

  run().catch((error: unknown) => {
    if (closed.signal.aborted) return;
    log.error({ err: error }, "stream failed");
    fail(new Problem("failed", "url: internal error"));
  });
  return {
    reconnect,
    close,
    setAudible(isAudible) {
      if (isAudible !== sound.isAudible) sound = { isAudible, sinceMs: clock.monotonicMs() };
    },
  };
}

/**
 * A router whose line is down, or a login page, answers every name with an address or a page of its own. Of a station
 * that is known to be one, that is temporary; the guard refuses such an address every time.
 */
function isFinal({ kind, code }: Problem, isKnown: boolean): boolean {
  return kind === "invalid" || (!isKnown && (kind === "failed" || code === WRONG_ADDRESS));
}
