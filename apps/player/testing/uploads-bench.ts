import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createEvents } from "../src/events.ts";
import { createCardFilesService } from "../src/library/card-files.service.ts";
import { libraryRoutes } from "../src/library/library.routes.ts";
import { createLibraryService } from "../src/library/library.service.ts";
import { uploadsRoutes } from "../src/uploads/uploads.routes.ts";
import { createUploadsService } from "../src/uploads/uploads.service.ts";
import { createTestFrame } from "./test-frame.ts";

type Json = ReturnType<typeof JSON.parse>;

export interface UploadAnswer {
  status: number;
  code: string | undefined;
  field: string | undefined;
  body: Json;
}

export interface UploadsBenchOptions {
  cardFolder: string;
  reserveBytes?: number;
  isInUse?: (path: string) => boolean;
  /** Whether an empty folder is the mount point of a missing card. */
  mountsCard?: boolean;
  clock?: Clock;
}

export type UploadsBench = Awaited<ReturnType<typeof startUploadsBench>>;

/** Library, card files and uploads on a real folder, behind a real socket. */
export async function startUploadsBench(options: UploadsBenchOptions) {
  const { cardFolder, reserveBytes = 0, isInUse = () => false, mountsCard = false, clock = createClock() } = options;
  const events = createEvents();
  const log = silentLog;
  const library = createLibraryService({
    cardFolder,
    mountsCard,
    usedFiles: () => new Set(),
    clock,
    events,
    log,
  });
  const cardFiles = createCardFilesService({
    cardFolder,
    library,
    isInUse,
    changed: () => undefined,
    log,
  });
  const uploads = createUploadsService({
    cardFolder,
    library,
    cardFiles,
    events,
    clock,
    ids: createIds(clock),
    log,
    reserveBytes,
  });
  const app = createTestFrame();
  await app.register(libraryRoutes(library));
  await app.register(uploadsRoutes(uploads));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  uploads.start();
  library.start();

  async function ask(method: string, path: string, body?: Uint8Array | object): Promise<UploadAnswer> {
    const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    // The service may close a kept-alive connection at the moment when it is reused.
    const asking = request(`${url}${path}`, {
      method,
      agent: false,
      headers: { "content-length": bytes?.length ?? 0 },
    });
    asking.end(bytes);
    const [response] = await once(asking, "response");
    return {
      status: response.statusCode,
      code: response.headers["problem-code"],
      field: response.headers["problem-field"],
      body: JSON.parse(await text(response)),
    };
  }

  return {
    url,
    library,
    cardFiles,
    uploads,
    events,
    ask,

    create: (wanted: object) => ask("POST", "/uploads", { fingerprint: "f", ...wanted }),
    send: (id: string, offset: number, bytes: Uint8Array) => ask("POST", `/uploads/${id}?offset=${offset}`, bytes),

    /** Sends the beginning of a piece, and breaks the connection. */
    async cut(id: string, offset: number, bytes: Uint8Array, announcedBytes: number): Promise<void> {
      const headers = { "content-length": announcedBytes };
      const asking = request(`${url}/uploads/${id}?offset=${offset}`, { method: "POST", headers });
      const broken = once(asking, "error");
      asking.write(bytes);
      // Until all of it has arrived there.
      while ((await ask("GET", `/uploads/${id}`)).status === 200 && asking.writableLength > 0) await clock.sleep(1);
      await clock.sleep(5);
      asking.destroy(new Error("cut"));
      await broken;
      while (uploads.isBusy()) await clock.sleep(1);
    },

    async close(): Promise<void> {
      await uploads.close();
      await app.close();
      await library.close();
    },
  };
}
