import type { Problem } from "@kit/problem";

/** What is fetched from the internet. */
export interface Station {
  url: string;
  /** Its addresses were checked when it was saved: other ones now are those of a router or a login page. */
  isSaved: boolean;
}

/** An internet stream that is fetched, and fetched again when it breaks, until it is closed. */
export interface Stream {
  /** Call when the engine could not continue with its source: counts as a broken connection. */
  reconnect(): void;
  /** Call when the engine begins or ceases to sound: a connection that gives no sound is no connection. */
  setAudible(isAudible: boolean): void;
  close(): void;
}

export type StreamEvent =
  /** Audio arrives at this loopback address: load it. Sent again whenever the engine must load again. */
  | { type: "ready"; location: string }
  /** The stream's own title; "" when it has none any more. */
  | { type: "title"; title: string }
  /** The source is connected and sends audio. */
  | { type: "connected" }
  /** The source is unreachable; the next attempt starts after this time. */
  | { type: "waiting"; retryInMs: number }
  /** The stream ended: refused, or the time limit for retries is over. Nothing follows. */
  | { type: "failed"; problem: Problem };
