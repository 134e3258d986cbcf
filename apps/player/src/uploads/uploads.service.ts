import type { Readable } from "node:stream";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createMutex } from "@kit/clock/mutex";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { CardFilesService } from "../library/card-files.service.ts";
import { noCard, readOnlyCard, refuseUnwritable } from "../library/card-writing.ts";
import type { LibraryService } from "../library/library.service.ts";
import { detectAudio } from "./audio-type.ts";
import { type Piece, type ReceiveResult, receive } from "./receive.ts";
import { countOutstanding, hasSameTarget, isExpired, parseTarget, toSlot, type Upload } from "./upload.ts";
import {
  type CreateUploadRequest,
  MAX_UPLOAD_BYTES,
  PIECE_BYTES,
  type PieceQuery,
  type UploadBody,
  type UploadsBody,
  type UploadsChange,
} from "./uploads.schema.ts";
import { createUploadsStore } from "./uploads.store.ts";

export interface UploadsServiceDeps {
  cardFolder: string;
  library: Pick<LibraryService, "hasCard" | "onCard">;
  cardFiles: Pick<CardFilesService, "findRivals" | "place">;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  ids: Pick<Ids, "next">;
  log: Log;
  /** What stays free on the card, so that a computer can still work with it. */
  reserveBytes: number;
}
export type UploadsService = ReturnType<typeof createUploadsService>;

const MAX_UPLOADS = 16;
const MAX_REMEMBERED = 64;
const TIDY_MS = 60 * 60_000;
/** A refused sender is read for this long, because most browsers send everything before they read the answer. */
const DRAIN_MS = 3000;

/** Brings files onto the card in pieces. What is not finished is hidden, and continues after any interruption. */
export function createUploadsService(deps: UploadsServiceDeps) {
  const { cardFolder, library, cardFiles, events, clock, ids, log, reserveBytes } = deps;
  const store = createUploadsStore(cardFolder);
  const timer = createTimer(clock);
  const uploads = new Map<string, Upload>();
  /** Finished a while ago: a sender that did not get the answer asks again. */
  const finished = new Map<string, UploadBody>();
  /** The uploads that are being written or placed; the card's removal aborts them. */
  const busy = new Map<string, { stop: AbortController; over: Promise<unknown> }>();
  const mutex = createMutex();
  let card: { identity: string } | undefined;
  let loading: Promise<void> = Promise.resolve();
  let stopWatching: (() => void) | undefined;

  const nowS = () => Math.floor(clock.now().getTime() / 1000);

  function emitChange(action: UploadsChange["action"]): void {
    events.emit("uploads", { action, count: uploads.size });
  }

  async function load(): Promise<void> {
    uploads.clear();
    card = { identity: await store.identify() };
    const known = (await store.list()).filter((upload) => !isExpired(upload, nowS()) && hasGoodTarget(upload));
    const newest = known.sort((one, other) => other.changed_at - one.changed_at).slice(0, MAX_UPLOADS);
    for (const upload of newest) uploads.set(upload.id, upload);
    await tidy();
  }

  function forget(): void {
    card = undefined;
    uploads.clear();
    for (const { stop } of busy.values()) stop.abort(noCard());
    emitChange("removed");
  }

  /** A card that cannot be written keeps what it has. */
  async function tidy(): Promise<void> {
    for (const upload of uploads.values()) {
      if (isExpired(upload, nowS()) && !busy.has(upload.id)) uploads.delete(upload.id);
    }
    if (await store.isWritable()) await store.tidy([...uploads.keys()]);
  }

  function tidyLater(): void {
    timer.set(TIDY_MS, () => {
      tidyLater();
      if (card) void tidy().catch((err: unknown) => log.warn({ err }, "cleaning up unfinished uploads failed"));
    });
  }

  function watch(change: "inserted" | "pulled"): void {
    if (change === "pulled") forget();
    else {
      loading = load().catch((err: unknown) => {
        log.warn({ err }, "reading unfinished uploads failed");
      });
    }
  }

  /** Refuses without a card, and right after it was pulled, when the library does not know it yet. */
  async function requireCard(): Promise<void> {
    await loading;
    const identity = card && library.hasCard() ? await store.identify().catch(() => undefined) : undefined;
    if (identity === undefined || identity !== card?.identity) throw noCard();
  }

  function find(id: string): Upload {
    const upload = uploads.get(id);
    if (!upload) throw notFound("upload", id);
    return upload;
  }

  async function measureRoom(except?: Upload): Promise<number> {
    const others = [...uploads.values()].filter((upload) => upload !== except);
    return Math.max(0, (await store.measureFreeBytes()) - reserveBytes - countOutstanding(others));
  }

  async function requireRoom(bytes: number, except?: Upload): Promise<void> {
    const room = await measureRoom(except);
    if (bytes > room) throw invalidField("bytes", `the card has room for ${room} bytes`, { code: "card_full" });
  }

  /** One request at a time writes an upload, or takes it out of the list. */
  async function hold<T>(id: string, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    if (busy.has(id)) {
      throw invalidField("id", "another request is sending this upload", { code: "upload_busy" });
    }
    const stop = new AbortController();
    const working = work(stop.signal);
    busy.set(id, { stop, over: working.catch(() => undefined) });
    try {
      return await working;
    } finally {
      busy.delete(id);
    }
  }

  async function drop(upload: Upload): Promise<void> {
    uploads.delete(upload.id);
    await store.remove(upload.id).catch(refuseUnwritable);
    emitChange("removed");
  }

  /** The same content for the same place continues; another content for it is refused, or replaces the former one. */
  async function findTwin(request: CreateUploadRequest): Promise<Upload | undefined> {
    const target = parseTarget(request);
    const twin = [...uploads.values()].find((upload) => hasSameTarget(upload, target));
    if (!twin) return undefined;
    if (twin.bytes === request.bytes && twin.fingerprint === request.fingerprint) return twin;
    if (!request.replace || busy.has(twin.id)) {
      throw invalidField("name", "another upload to this place is not finished", { code: "upload_exists" });
    }
    await drop(twin);
    return undefined;
  }

  async function refuseRivals(request: CreateUploadRequest): Promise<void> {
    if (request.replace) return;
    const [rival] = await cardFiles.findRivals(toSlot(parseTarget(request)));
    if (rival === undefined) return;
    throw invalidField("name", `'${rival}' is on the card already`, { code: "file_exists" });
  }

  async function keep(upload: Upload, change: Partial<Upload>): Promise<Upload> {
    const changed = { ...upload, ...change, changed_at: nowS() };
    await store.save(changed).catch(refuseUnwritable);
    // A card that was pulled meanwhile has taken its uploads with it.
    if (uploads.has(upload.id)) uploads.set(upload.id, changed);
    return changed;
  }

  async function add(request: CreateUploadRequest): Promise<Upload> {
    const { bytes, fingerprint, replace = false } = request;
    if (uploads.size >= MAX_UPLOADS) {
      throw invalidField("uploads", `there are ${MAX_UPLOADS} unfinished ones already`, { code: "storage_limit" });
    }
    await requireRoom(bytes);
    const id = ids.next();
    const upload = { id, ...parseTarget(request), bytes, fingerprint, replace, changed_at: nowS(), offset: 0 };
    try {
      await store.create(upload).catch(refuseUnwritable);
      // A card that was pulled a moment ago must not reappear as a folder of the device.
      await requireCard();
    } catch (error) {
      await store.remove(id).catch(() => undefined);
      await store.tidy([...uploads.keys()]).catch(() => undefined);
      throw error;
    }
    uploads.set(id, upload);
    return upload;
  }

  async function renew(twin: Upload, { replace = twin.replace }: CreateUploadRequest): Promise<Upload> {
    await requireRoom(twin.bytes - twin.offset, twin);
    return replace === twin.replace ? twin : keep(twin, { replace });
  }

  /** Writes the bytes, and remembers them when they are on the card. */
  async function write(upload: Upload, piece: Piece, stop: AbortSignal): Promise<ReceiveResult & { upload: Upload }> {
    const file = await store.openPart(upload.id).catch(refuseUnwritable);
    try {
      // A piece that was refused, or a power cut, may have left more than counts.
      await file.truncate(piece.offset).catch(refuseUnwritable);
      const received = await receive(file, piece, clock, stop);
      if (received.bytes === 0) return { ...received, upload };
      const offset = piece.offset + received.bytes;
      const kept = file.datasync().then(() => keep(upload, { offset }));
      // What ended the piece, such as a pulled card, is also why it cannot be kept.
      const changed = await kept.catch((error: unknown) => refuseUnwritable(received.problem ?? error));
      return { ...received, upload: changed };
    } finally {
      await file.close();
    }
  }

  /** Refuses what the library cannot play as soon as its beginning has arrived. */
  async function judge(upload: Upload) {
    const file = await store.openPart(upload.id).catch(refuseUnwritable);
    try {
      const read = async (position: number, length: number) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
        return buffer.subarray(0, bytesRead);
      };
      return await detectAudio({ read, arrivedBytes: upload.offset, isWhole: upload.offset === upload.bytes });
    } finally {
      await file.close();
    }
  }

  async function advance(upload: Upload): Promise<UploadBody> {
    const type = await judge(upload);
    if (type === undefined) {
      await drop(upload);
      throw invalidField("body", "is not audio that the player can play: MP3, M4A, Ogg, Opus, FLAC or WAV", {
        code: "type_refused",
      });
    }
    if (type === "unsure" || upload.offset < upload.bytes) {
      emitChange("continued");
      return toBody(upload);
    }
    const path = await cardFiles.place(store.partOf(upload.id), toSlot(upload), type, upload.replace);
    const body = { ...toBody(upload), complete: true, path };
    uploads.delete(upload.id);
    remember(body);
    await store
      .remove(upload.id)
      .catch((err: unknown) => log.warn({ err }, "deleting the record of a finished upload failed"));
    emitChange("finished");
    return body;
  }

  function remember(body: UploadBody): void {
    finished.set(body.id, body);
    const [oldest] = finished.keys();
    if (finished.size > MAX_REMEMBERED && oldest !== undefined) finished.delete(oldest);
  }

  async function append(id: string, { offset, sha256 }: PieceQuery, source: Readable, sizeBytes: number | undefined) {
    await requireCard();
    return hold(id, async (stop) => {
      const upload = find(id);
      if (offset !== upload.offset) {
        throw invalidField("offset", `must be ${upload.offset}`, { code: "offset_mismatch" });
      }
      const maxBytes = Math.min(PIECE_BYTES, upload.bytes - offset);
      if ((sizeBytes ?? 0) > maxBytes) throw invalidField("body", `must be at most ${maxBytes} bytes`);
      const { problem, upload: changed } = await write(upload, { source, offset, maxBytes, sha256 }, stop);
      if (problem !== undefined) throw problem;
      return advance(changed);
    });
  }

  return {
    /** Follows the card. */
    start(): void {
      stopWatching ??= library.onCard(watch);
      tidyLater();
    },

    /** Stops what is being written; it continues after the next start. */
    async close(): Promise<void> {
      stopWatching?.();
      timer.cancel();
      for (const { stop } of busy.values()) stop.abort(new Problem("failed", "the player is stopping"));
      await Promise.all([...busy.values()].map(({ over }) => over));
      await loading;
    },

    isBusy: (): boolean => busy.size > 0,

    async list(): Promise<UploadsBody> {
      const state = await requireCard().then(
        async () => ((await store.isWritable()) ? "ready" : "read_only"),
        () => "missing" as const,
      );
      return {
        card: state,
        free_bytes: state === "ready" ? await measureRoom() : 0,
        max_bytes: MAX_UPLOAD_BYTES,
        piece_bytes: PIECE_BYTES,
        uploads: [...uploads.values()].map(toBody),
      };
    },

    async get(id: string): Promise<UploadBody> {
      await loading;
      return finished.get(id) ?? toBody(find(id));
    },

    /** In turn, so that two requests for one place do not both find it free. */
    create: (request: CreateUploadRequest): Promise<UploadBody & { created: boolean }> =>
      mutex("create", async () => {
        parseTarget(request);
        await requireCard();
        if (!(await store.isWritable())) throw readOnlyCard();
        await refuseRivals(request);
        const twin = await findTwin(request);
        if (twin) return { ...toBody(await renew(twin, request)), created: false };
        const upload = await add(request);
        emitChange("added");
        return { ...toBody(upload), created: true };
      }),

    /** Takes the next piece. With the last one the file appears on the card. */
    async send(id: string, query: PieceQuery, source: Readable, sizeBytes: number | undefined): Promise<UploadBody> {
      try {
        return finished.get(id) ?? (await append(id, query, source, sizeBytes));
      } catch (error) {
        await drain(source, clock);
        throw error;
      }
    },

    async cancel(id: string): Promise<void> {
      await requireCard();
      const writer = busy.get(id);
      writer?.stop.abort(invalidField("id", "the upload was cancelled", { code: "upload_cancelled" }));
      await writer?.over;
      await hold(id, () => drop(find(id)));
    },
  };
}

function hasGoodTarget(upload: Upload): boolean {
  try {
    parseTarget(upload);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

function toBody({ replace: _replace, ...upload }: Upload): UploadBody {
  return { ...upload, complete: false, path: "" };
}

async function drain(source: Readable, clock: Pick<Clock, "sleep">): Promise<void> {
  if (source.readableEnded || source.destroyed) return;
  const over = new AbortController();
  const ended = new Promise<void>((resolve) => {
    source.once("end", resolve);
    source.once("close", resolve);
    source.once("error", () => resolve());
  });
  source.resume();
  await Promise.race([ended, clock.sleep(DRAIN_MS, over.signal).catch(() => undefined)]);
  over.abort();
}
