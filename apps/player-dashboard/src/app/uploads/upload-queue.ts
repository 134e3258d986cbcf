import type { CreateUploadRequest, UploadBody } from "@player/service/contract/uploads";
import { type ReadonlySignal, signal } from "@preact/signals";
import { type ApiClient, ApiError } from "../api/api-client.ts";
import { type Commands, NotUnlocked } from "../api/commands.ts";
import { type App, useApp } from "../app.ts";
import { after } from "../browser/clock.ts";
import { readDigest } from "./digest.ts";
import { buildFingerprint, type Digest } from "./fingerprint.ts";
import { createSendPiece, type SendPiece } from "./send-piece.ts";

export type UploadTarget = Pick<CreateUploadRequest, "kind" | "reciter" | "surah" | "name">;

export interface QueuedUpload {
  key: number;
  file: File;
  target: UploadTarget;
  isReplacing: boolean;
  /** `retrying`: the device does not respond at the moment. */
  state: "waiting" | "sending" | "retrying" | "paused" | "refused" | "unreadable" | "done";
  sentBytes: number;
  /** On the card, when it is done. */
  path: string;
  /** When it is refused. */
  error?: ApiError;
}

export interface UploadQueue {
  items: ReadonlySignal<readonly QueuedUpload[]>;
  add: (file: File, target: UploadTarget) => void;
  pause: (key: number) => void;
  /** After a pause or a refusal. */
  resume: (key: number, change?: { isReplacing: boolean }) => void;
  /** Removes it from the list, and its partial upload from the card. */
  cancel: (key: number) => void;
}

export interface UploadQueueDeps {
  api: Pick<ApiClient, "get" | "post" | "remove">;
  commands: Pick<Commands, "unlocked">;
  sendPiece: SendPiece;
  digest: Digest;
  after: (delayMs: number, task: () => void) => () => void;
}

const PIECE_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 2000;
/** The piece did not count, but the upload can continue where the device says. */
const PASSING = new Set(["offset_mismatch", "upload_busy", "connection_lost", "too_slow"]);

/** The files that this browser brings to the card, one after the other, also while another page is open. */
export function createUploadQueue({ api, commands, sendPiece, digest, after }: UploadQueueDeps): UploadQueue {
  const items = signal<readonly QueuedUpload[]>([]);
  const ids = new Map<number, string>();
  let stop = new AbortController();
  let running: number | undefined;
  let lastKey = 0;

  const find = (key: number) => items.value.find((item) => item.key === key);

  function change(key: number, part: Partial<QueuedUpload>): void {
    items.value = items.value.map((item) => (item.key === key ? { ...item, ...part } : item));
  }

  function wait(delayMs: number, signalled: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = after(delayMs, resolve);
      signalled.addEventListener("abort", () => {
        cancel();
        resolve();
      });
    });
  }

  /** The upload as the device reports it, or a new one. */
  async function open({ key, file, target, isReplacing }: QueuedUpload): Promise<UploadBody> {
    const id = ids.get(key);
    if (id !== undefined) {
      const known = await api.get<UploadBody>(`/uploads/${id}`).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      });
      if (known && (known.complete || !isReplacing)) return known;
    }
    const created = await api.post<UploadBody>("/uploads", {
      ...target,
      bytes: file.size,
      fingerprint: await buildFingerprint(file, digest),
      replace: isReplacing,
    });
    ids.set(key, created.id);
    return created;
  }

  /** Sends the missing bytes. A complete upload only needs to be finished. */
  async function sendRest(item: QueuedUpload, opened: UploadBody, signalled: AbortSignal): Promise<UploadBody> {
    let upload = opened;
    while (!upload.complete && !signalled.aborted) {
      const { id, offset } = upload;
      const bytes = item.file.slice(offset, offset + PIECE_BYTES);
      // A file that was moved or deleted fails here, instead of as a broken connection.
      await bytes.slice(0, 1).arrayBuffer();
      change(item.key, { state: "sending", sentBytes: offset });
      const onSent = (sent: number) => change(item.key, { sentBytes: Math.min(offset + sent, item.file.size) });
      upload = await commands.unlocked(() => sendPiece({ id, offset, bytes, onSent, signal: signalled }));
    }
    return upload;
  }

  /** What to do after a failure: the delay until the next try, or undefined to give up. */
  function heed(key: number, error: unknown): number | undefined {
    if (error instanceof NotUnlocked) change(key, { state: "paused" });
    else if (!(error instanceof ApiError)) change(key, { state: "unreadable" });
    else if (error.status === 0) {
      change(key, { state: "retrying" });
      return RETRY_MS;
    } else if (error.status === 429) return Math.max(1, error.retryAfterSeconds ?? 1) * 1000;
    else if (PASSING.has(error.code ?? "")) return RETRY_MS;
    else change(key, { state: "refused", error });
    return undefined;
  }

  /** One try. Returns the delay until the next one; undefined when there is none. */
  async function attempt(item: QueuedUpload, signalled: AbortSignal): Promise<number | undefined> {
    try {
      const opened = await commands.unlocked(() => open(item));
      const { complete, path } = await sendRest(item, opened, signalled);
      if (complete) change(item.key, { state: "done", sentBytes: item.file.size, path });
      return undefined;
    } catch (error) {
      return signalled.aborted ? undefined : heed(item.key, error);
    }
  }

  async function send(item: QueuedUpload, signalled: AbortSignal): Promise<void> {
    while (!signalled.aborted) {
      const delayMs = await attempt(item, signalled);
      if (delayMs === undefined) return;
      await wait(delayMs, signalled);
    }
  }

  async function run(): Promise<void> {
    if (running !== undefined) return;
    for (;;) {
      const next = items.value.find(({ state }) => state === "waiting");
      if (!next) return;
      running = next.key;
      stop = new AbortController();
      change(next.key, { state: "sending" });
      await send(next, stop.signal);
      running = undefined;
    }
  }

  function halt(key: number): void {
    if (running === key) stop.abort();
  }

  async function discard(key: number): Promise<void> {
    const id = ids.get(key);
    ids.delete(key);
    if (id === undefined) return;
    // A partial upload that cannot be deleted now expires on the card.
    await commands.unlocked(() => api.remove(`/uploads/${id}`)).catch(() => undefined);
  }

  return {
    items,

    add(file, target) {
      lastKey += 1;
      const item = { key: lastKey, file, target, isReplacing: false, sentBytes: 0, path: "" };
      items.value = [...items.value, { ...item, state: "waiting" }];
      void run();
    },

    pause(key) {
      change(key, { state: "paused" });
      halt(key);
    },

    resume(key, { isReplacing } = { isReplacing: find(key)?.isReplacing ?? false }) {
      change(key, { state: "waiting", isReplacing });
      void run();
    },

    cancel(key) {
      const isDone = find(key)?.state === "done";
      halt(key);
      items.value = items.value.filter((item) => item.key !== key);
      if (!isDone) void discard(key);
    },
  };
}

const queues = new WeakMap<App, UploadQueue>();

/** The one queue of the app: it is created with the first page that asks for it, and keeps sending on every other. */
export function useUploadQueue(): UploadQueue {
  const app = useApp();
  const { api, commands, tokens } = app;
  let queue = queues.get(app);
  if (!queue) {
    const sendPiece = createSendPiece({ createRequest: () => new XMLHttpRequest(), token: () => tokens.token.value });
    queue = createUploadQueue({ api, commands, sendPiece, digest: readDigest(), after });
    queues.set(app, queue);
  }
  return queue;
}
