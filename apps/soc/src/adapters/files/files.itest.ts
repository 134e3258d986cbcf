import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { startProcess } from "@kit/testing/process";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildEntry, removeEntries } from "../../../testing/processes/build-entry.ts";
import { S3_KEY, startS3Server } from "../../../testing/servers/s3-server.ts";
import type { FileStore } from "../../ports/file-store.ts";
import { createDiskFiles } from "./disk-files.ts";
import { createIncomingFiles } from "./incoming-files.ts";
import { createS3Files } from "./s3-files.ts";

const clock = createClock();
const ids = createIds(clock);
const BYTES = Buffer.from("what was found on the disk of ws-7");
const SHA256 = createHash("sha256").update(BYTES).digest("hex");
const OTHER = "a".repeat(64);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => removeEntries());

const receiveFrom = (source: Readable, maxBytes = 1000, given = {}) =>
  createIncomingFiles({ folder: join(folder, "incoming"), clock, ids, reserveBytes: 0, ...given }).receive(
    source,
    maxBytes,
  );
const receive = (bytes: Buffer, maxBytes?: number) => receiveFrom(Readable.from([bytes]), maxBytes);
const hasRun = (command: string, ...parameters: string[]) => spawnSync(command, parameters).status === 0;
const listIncoming = () => readdirSync(join(folder, "incoming"));

describe("an incoming file", () => {
  it("hashes an incoming file while it is written", async () => {
    const received = await receive(BYTES);
    expect(received).toMatchObject({ sha256: SHA256, size_bytes: BYTES.length });
    expect(listIncoming()).toHaveLength(1);
  });

  it("leaves nothing behind if it is too large, empty or interrupted", async () => {
    await expect(receive(BYTES, BYTES.length - 1)).rejects.toMatchObject({ kind: "too_large", field: "body" });
    await expect(receiveFrom(Readable.from([]))).rejects.toMatchObject({ kind: "invalid", field: "body" });
    const broken = new Readable({
      read() {
        this.push("begin");
        this.destroy(new Error("aborted"));
      },
    });
    await expect(receiveFrom(broken)).rejects.toThrow("aborted");
    expect(listIncoming()).toEqual([]);
  });

  it("disconnects a sender that is too slow", async () => {
    const slow = createFakeClock();
    const source = new Readable({ read: () => undefined });
    source.push("a");
    const received = receiveFrom(source, 1000, { clock: slow });
    received.catch(() => undefined);
    await clock.sleep(100);
    await slow.advance(15_000);
    await expect(received).rejects.toMatchObject({ code: "too_slow" });
    expect(listIncoming()).toEqual([]);
  });

  it("refuses a file if the disk has no room for it", async () => {
    const reserveBytes = Number.MAX_SAFE_INTEGER;
    await expect(receiveFrom(Readable.from([BYTES]), 1000, { reserveBytes })).rejects.toMatchObject({
      kind: "unavailable",
      code: "disk_full",
    });
  });

  it("leaves no file after its process was killed, and temporary files are swept", async () => {
    const incoming = join(folder, "incoming");
    const receiver = await startProcess({
      command: process.execPath,
      args: [await buildEntry("file-receiver-process.ts"), incoming],
      readyWhen: /receiving/,
    });
    await receiver.stop("SIGKILL");
    expect(listIncoming()).toHaveLength(1);
    expect(await createDiskFiles(join(folder, "stored")).open(SHA256)).toBeUndefined();
    expect(await createIncomingFiles({ folder: incoming, clock, ids }).sweep()).toBe(0);
    const later = createFakeClock(new Date(clock.now().getTime() + 5 * 24 * 3_600_000));
    expect(await createIncomingFiles({ folder: incoming, clock: later, ids }).sweep()).toBe(1);
    expect(listIncoming()).toEqual([]);
  });
});

describe("on a full disk", () => {
  let disk: string;
  // Only a separate disk can be filled up, and only root may mount one.
  const canMount = hasRun("mount", "--version") && process.getuid?.() === 0;
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), "full-"));
  });
  afterEach(() => {
    hasRun("umount", "--lazy", disk);
    rmSync(disk, { recursive: true, force: true });
  });

  it.skipIf(!canMount)("reports it and leaves nothing half-stored", async ({ skip }) => {
    if (!hasRun("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk)) return skip();
    const incoming = createIncomingFiles({ folder: join(disk, "incoming"), clock, ids, reserveBytes: 0 });
    // There was room when it began, but another file has used it in the meantime.
    const sent = async function* () {
      yield Buffer.alloc(300_000);
      writeFileSync(join(disk, "filler"), Buffer.alloc(600_000));
      yield Buffer.alloc(400_000);
    };
    const received = incoming.receive(Readable.from(sent()), 1_000_000);
    await expect(received).rejects.toMatchObject({ kind: "unavailable", code: "disk_full" });
    expect(readdirSync(join(disk, "incoming"))).toEqual([]);
  });
});

type OpenedStore = { store: FileStore; damage(): void; count(): number; close(): Promise<void> };

const STORES: Readonly<Record<string, () => Promise<OpenedStore>>> = {
  disk: async () => {
    const stored = join(folder, "stored");
    return {
      store: createDiskFiles(stored),
      damage: () => writeFileSync(join(stored, SHA256.slice(0, 2), SHA256.slice(2)), "something else"),
      count: () => readdirSync(stored, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length,
      close: async () => undefined,
    };
  },
  S3: async () => {
    const server = await startS3Server();
    const settings = { url: `${server.url}/bucket/soc`, ...S3_KEY, region: "eu-central-1" };
    return {
      store: createS3Files({ settings, clock }),
      damage: () => server.objects.set(`/bucket/soc/${SHA256}`, Buffer.from("something else")),
      count: () => server.objects.size,
      close: () => server.close(),
    };
  },
};

describe.each(Object.entries(STORES))("content on %s", (_name, start) => {
  let opened: OpenedStore;
  beforeEach(async () => {
    opened = await start();
  });
  afterEach(() => opened.close());

  const read = async (sha256: string) => {
    const content = await opened.store.open(sha256);
    return content && buffer(content);
  };

  it("stores content once, reads it again, and removes it", async () => {
    const { store } = opened;
    expect(await read(SHA256)).toBeUndefined();
    for (let turn = 0; turn < 2; turn += 1) await store.keep(await receive(BYTES));
    expect(opened.count()).toBe(1);
    expect(await read(SHA256)).toEqual(BYTES);
    expect(await read(OTHER)).toBeUndefined();
    await store.remove(SHA256);
    await store.remove(SHA256);
    expect(await read(SHA256)).toBeUndefined();
  });

  it("repairs damaged content if it is sent again", async () => {
    await opened.store.keep(await receive(BYTES));
    opened.damage();
    await opened.store.keep(await receive(BYTES));
    expect(await read(SHA256)).toEqual(BYTES);
  });
});

describe("an S3 store", () => {
  it("reports an S3 store that refuses the key as unavailable, without revealing the key", async () => {
    const server = await startS3Server({ secret: "another secret" });
    const store = createS3Files({ settings: { url: `${server.url}/bucket`, ...S3_KEY, region: "us-east-1" }, clock });
    const problem = await store.keep(await receive(BYTES)).catch((error: unknown) => error);
    expect(problem).toMatchObject({
      kind: "unavailable",
      message: "the file store answered 403: SignatureDoesNotMatch",
    });
    expect(JSON.stringify(problem)).not.toContain(S3_KEY.secretAccessKey);
    await server.close();
  });

  it("reports an S3 store that fails or is unreachable as unavailable for every operation", async () => {
    const server = await startS3Server();
    const store = createS3Files({ settings: { url: `${server.url}/bucket`, ...S3_KEY, region: "us-east-1" }, clock });
    const received = await receive(BYTES);
    const all = [() => store.keep(received), () => store.open(SHA256), () => store.remove(SHA256)];
    server.fail(503);
    for (const attempt of all) {
      await expect(attempt()).rejects.toMatchObject({
        kind: "unavailable",
        message: "the file store answered 503: SlowDown",
      });
    }
    await server.close();
    for (const attempt of all) {
      await expect(attempt()).rejects.toMatchObject({ kind: "unavailable", message: "the file store does not answer" });
    }
  });
});
