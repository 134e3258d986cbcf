import type { Problem } from "@kit/problem";

/** An internet stream that is being fetched, and fetched again when it breaks, until it is closed. */
export interface Stream {
  /** For an engine that could not go on with what it was given: counts as a broken connection. */
  reconnect(): void;
  close(): void;
}

export type StreamEvent =
  /** Audio is arriving at this loopback address: load it. Sent again whenever the engine must load anew. */
  | { type: "ready"; location: string }
  /** The stream's own title; "" when it has none any more. */
  | { type: "title"; title: string }
  /** The source is connected and sends. */
  | { type: "connected" }
  /** The source is away; the next try comes after this time. */
  | { type: "waiting"; retryInMs: number }
  /** It will never be heard: refused, or tried for long enough. Nothing follows. */
  | { type: "failed"; problem: Problem };
