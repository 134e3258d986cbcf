/** A change, as `/events` sends it. */
export interface LiveEvent {
  /** `<noun>.<past participle>`. */
  type: string;
  actor: string | null;
  subject_type: string | null;
  subject_id: string;
  at: string;
  data: Record<string, unknown>;
}

/** `live`: every change arrives. `connecting`: changes may be missing until it is live again. */
export type LiveState = "off" | "connecting" | "live";

export type LiveMessage =
  | { kind: "events"; events: LiveEvent[] }
  /** Changes are missing: the page may show stale data. */
  | { kind: "reset" }
  | { kind: "state"; state: LiveState };

export interface StreamSource {
  onOpen: (task: () => void) => void;
  onEvent: (task: (text: string) => void) => void;
  onReset: (task: () => void) => void;
  /** `isOver`: the browser will not reconnect. */
  onFailure: (task: (isOver: boolean) => void) => void;
  close: () => void;
}

export interface LiveStreamDeps {
  open: () => StreamSource;
  after: (delayMs: number, task: () => void) => () => void;
  send: (message: LiveMessage) => void;
}

/** Events of this period are delivered together: 50 events per second must not cause 50 renders. */
const GATHER_MS = 250;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

/** Reads the event stream until it is stopped, and delivers events in batches. */
export function startLiveStream({ open, after, send }: LiveStreamDeps): () => void {
  let gathered: LiveEvent[] = [];
  let cancelSending: (() => void) | undefined;
  let cancelRetry: (() => void) | undefined;
  let source: StreamSource | undefined;
  let retryMs = FIRST_RETRY_MS;

  function flush(): void {
    cancelSending = undefined;
    const events = gathered;
    gathered = [];
    send({ kind: "events", events });
  }

  function gather(text: string): void {
    const event = parseEvent(text);
    if (!event) return;
    gathered.push(event);
    cancelSending ??= after(GATHER_MS, flush);
  }

  function connect(isFirst: boolean): void {
    send({ kind: "state", state: "connecting" });
    source = open();
    source.onOpen(() => {
      // Only the browser's own reconnect sends the last event id; a new connection does not.
      if (!isFirst) send({ kind: "reset" });
      isFirst = true;
      retryMs = FIRST_RETRY_MS;
      send({ kind: "state", state: "live" });
    });
    source.onEvent(gather);
    source.onReset(() => send({ kind: "reset" }));
    source.onFailure((isOver) => {
      send({ kind: "state", state: "connecting" });
      if (!isOver) return;
      source?.close();
      cancelRetry = after(retryMs, () => connect(false));
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2);
    });
  }

  connect(true);
  return () => {
    cancelSending?.();
    cancelRetry?.();
    source?.close();
    send({ kind: "state", state: "off" });
  };
}

function parseEvent(text: string): LiveEvent | undefined {
  const event: unknown = JSON.parse(text);
  return isEvent(event) ? event : undefined;
}

function isEvent(value: unknown): value is LiveEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "subject_id" in value &&
    typeof value.subject_id === "string"
  );
}
