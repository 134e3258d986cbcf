import { after } from "../browser/clock.ts";
import { type LiveEvent, type LiveMessage, type LiveState, type StreamSource, startLiveStream } from "./live-stream.ts";

export interface LiveListener {
  onEvents: (events: readonly LiveEvent[]) => void;
  /** Changes are missing: reload the displayed data. */
  onReset: () => void;
}

export type Live = ReturnType<typeof createLive>;

const NAME = "manara-soc-live";

function openEventSource(): StreamSource {
  const source = new EventSource("/api/v1/events");
  return {
    onOpen: (task) => source.addEventListener("open", task),
    onEvent: (task) => source.addEventListener("message", ({ data }) => task(String(data))),
    onReset: (task) => source.addEventListener("reset", task),
    onFailure: (task) => source.addEventListener("error", () => task(source.readyState === EventSource.CLOSED)),
    close: () => source.close(),
  };
}

function deliver({ onEvents, onReset }: LiveListener, message: Exclude<LiveMessage, { kind: "state" }>): void {
  if (message.kind === "events") onEvents(message.events);
  else onReset();
}

/**
 * One event stream for all tabs of this browser: the tab that holds the lock reads it and shares it. A browser opens
 * six connections per host, and the service allows ten streams per caller.
 */
export function createLive() {
  const listeners = new Set<LiveListener>();
  const stateListeners = new Set<() => void>();
  let state: LiveState = "off";
  let stop: (() => void) | undefined;
  /** A hidden tab reads nothing: it reloads once when it is shown, instead of at each event. */
  let hasMissed = false;

  function receive(message: LiveMessage): void {
    if (message.kind === "state") {
      state = message.state;
      for (const listener of stateListeners) listener();
    } else if (document.hidden) hasMissed = true;
    else for (const listener of listeners) deliver(listener, message);
  }

  function catchUp(): void {
    if (document.hidden || !hasMissed) return;
    hasMissed = false;
    receive({ kind: "reset" });
  }

  /** Reads the stream while this tab holds the lock. */
  function lead(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const endStream = startLiveStream({
        open: openEventSource,
        after,
        send: (message) => {
          receive(message);
          channel.postMessage(message);
        },
      });
      channel.addEventListener("message", ({ data }) => {
        if (data === "state?") channel.postMessage({ kind: "state", state });
      });
      signal.addEventListener("abort", () => {
        endStream();
        resolve();
      });
    });
  }

  function start(): void {
    if (stop) return;
    const channel = new BroadcastChannel(NAME);
    const stopping = new AbortController();
    const { signal } = stopping;
    document.addEventListener("visibilitychange", catchUp, { signal });
    let isLeader = false;
    channel.addEventListener("message", ({ data }: MessageEvent<LiveMessage | "state?">) => {
      if (data !== "state?" && !isLeader) receive(data);
    });
    const startedAlone = navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
      if (!lock || signal.aborted) return undefined;
      isLeader = true;
      return lead(channel, signal);
    });
    void startedAlone.then(() => {
      if (signal.aborted) return;
      channel.postMessage("state?");
      // Another tab is the leader. This tab takes over when that one closes, and may have missed changes in between.
      return navigator.locks
        .request(NAME, { signal }, () => {
          isLeader = true;
          receive({ kind: "reset" });
          channel.postMessage({ kind: "reset" });
          return lead(channel, signal);
        })
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    });
    stop = () => {
      stopping.abort();
      channel.close();
      state = "off";
      for (const listener of stateListeners) listener();
    };
  }

  return {
    start,
    end: (): void => {
      stop?.();
      stop = undefined;
    },
    listen: (listener: LiveListener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    readState: () => state,
    subscribeState: (listener: () => void): (() => void) => {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
  };
}
