import { constants } from "node:fs";
import {
  access,
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
} from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import Value from "typebox/value";
import { hasCode } from "../library/card-writing.ts";
import { syncFolder } from "../storage/durable-file.ts";
import type { Upload } from "./upload.ts";
import { StoredUpload } from "./uploads.schema.ts";

/** On the card itself, so that the last step is a rename; hidden, so that no list shows it. */
export const UPLOADS_FOLDER = ".manara-uploads";
const MAX_ENTRIES = 1000;
const MAX_RECORD_BYTES = 4096;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** Unfinished uploads: two files each, the bytes (`.part`) and what is known of them (`.json`). */
export function createUploadsStore(cardFolder: string) {
  const folder = join(cardFolder, UPLOADS_FOLDER);
  const partOf = (id: string) => `${UPLOADS_FOLDER}/${id}.part`;
  const recordPath = (id: string) => join(folder, `${id}.json`);

  /** Refuses a link, and a folder of the device that only stands where a card was. */
  async function checkFolder(): Promise<void> {
    const [own, card] = await Promise.all([lstat(folder), lstat(`${cardFolder}/.`)]);
    if (own.isDirectory() && own.dev === card.dev) return;
    throw new Problem("failed", `card: '${UPLOADS_FOLDER}' must be a folder of the card`, {
      field: "card",
      code: "card_failed",
    });
  }

  async function createFolder(): Promise<void> {
    try {
      await mkdir(folder);
      await syncFolder(cardFolder);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    await checkFolder();
  }

  async function readRecord(id: string): Promise<Upload | undefined> {
    const file = await open(recordPath(id), O_RDONLY | O_NOFOLLOW);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_RECORD_BYTES), 0, MAX_RECORD_BYTES, 0);
      return parseRecord(id, buffer.toString("utf8", 0, bytesRead));
    } finally {
      await file.close();
    }
  }

  async function findUpload(id: string): Promise<Upload | undefined> {
    try {
      const record = await readRecord(id);
      const part = await lstat(join(cardFolder, partOf(id)));
      return record && part.isFile() && part.size >= record.offset ? record : undefined;
    } catch (error) {
      if (error instanceof Error && "code" in error) return undefined;
      throw error;
    }
  }

  async function listNames(): Promise<string[]> {
    const names: string[] = [];
    try {
      await checkFolder();
      for await (const { name } of await opendir(folder)) {
        if (names.push(name) >= MAX_ENTRIES) break;
      }
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
    return names;
  }

  /** The bytes are on the card before the record says so: after a power cut it never promises too much. */
  async function save(upload: Upload): Promise<void> {
    const path = recordPath(upload.id);
    const file = await open(`${path}.new`, "w");
    try {
      await file.writeFile(JSON.stringify(upload));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }

  return {
    partOf,
    save,

    /** A different value is a different card, or none. */
    async identify(): Promise<string> {
      const { dev, ino } = await stat(cardFolder);
      return `${dev}:${ino}`;
    },

    /** All uploads that can continue. */
    async list(): Promise<Upload[]> {
      const ids = (await listNames()).map((name) => name.slice(0, -".json".length)).filter((id) => UUID.test(id));
      const found = await Promise.all([...new Set(ids)].map(findUpload));
      return found.filter((upload) => upload !== undefined);
    },

    /** Removes everything else, and the folder when nothing is left. */
    async tidy(ids: readonly string[]): Promise<void> {
      const kept = new Set(ids.flatMap((id) => [`${id}.json`, `${id}.part`]));
      const left = (await listNames()).filter((name) => !kept.has(name));
      for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
      if (ids.length > 0) return;
      await rmdir(folder).catch((error: unknown) => {
        if (!hasCode(error, "ENOENT") && !hasCode(error, "ENOTEMPTY")) throw error;
      });
    },

    async create(upload: Upload): Promise<void> {
      await createFolder();
      const file = await open(join(cardFolder, partOf(upload.id)), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
      await file.close();
      await save(upload);
      await syncFolder(folder);
    },

    async openPart(id: string): Promise<FileHandle> {
      await checkFolder();
      return open(join(cardFolder, partOf(id)), O_RDWR | O_NOFOLLOW);
    },

    async remove(id: string): Promise<void> {
      for (const path of [recordPath(id), join(cardFolder, partOf(id))]) await rm(path, { force: true });
    },

    async isWritable(): Promise<boolean> {
      return access(cardFolder, constants.W_OK).then(
        () => true,
        () => false,
      );
    },

    async measureFreeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(cardFolder);
      return bavail * bsize;
    },
  };
}

function parseRecord(id: string, text: string): Upload | undefined {
  try {
    const record: unknown = JSON.parse(text);
    const isUsable = Value.Check(StoredUpload, record) && record.id === id && record.offset <= record.bytes;
    return isUsable ? record : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
