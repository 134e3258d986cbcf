import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { makeMp3 } from "../../testing/audio-bytes.ts";
import { startUploadsBench, type UploadsBench, type UploadsBenchOptions } from "../../testing/uploads-bench.ts";

const MIB = 1024 * 1024;
const CARD_MIB = 12;
const RECITATION = { kind: "recitation", reciter: "Husary", surah: 36 } as const;

const base = mkdtempSync(join(tmpdir(), "uploads-card-"));
const card = join(base, "card");
mkdirSync(card);
// Only a separate file system can be full, read-only or removed, and only root may mount one.
const canMount = mount();
let bench: UploadsBench | undefined;

beforeEach(() => {
  if (canMount && readdirSync(card).length === 0 && statSync(card).dev === statSync(base).dev) mount();
  // An empty card is no card to a library that cannot tell it from a missing one.
  if (canMount) writeFileSync(join(card, "label.txt"), "a card");
});
afterEach(async () => {
  await bench?.close();
  bench = undefined;
  if (canMount) run("umount", "--lazy", card);
});
afterAll(() => rmSync(base, { recursive: true }));

function run(command: string, ...parameters: string[]): boolean {
  return spawnSync(command, parameters).status === 0;
}

function mount(): boolean {
  return run("mount", "-t", "tmpfs", "-o", `size=${CARD_MIB}m`, "tmpfs", card);
}

async function start(options: Partial<UploadsBenchOptions> = {}): Promise<UploadsBench> {
  const started = await startUploadsBench({ cardFolder: card, mountsCard: true, ...options });
  bench = started;
  await expect.poll(async () => (await started.ask("GET", "/uploads")).body.card).not.toBe("missing");
  return started;
}

const listVisible = () =>
  readdirSync(card, { recursive: true, encoding: "utf8" }).filter((path) => !path.startsWith("."));

it.skipIf(!canMount)(
  "refuses a file for which the card has no room, with its reserve, before a byte is sent",
  async () => {
    const { create, ask } = await start({ reserveBytes: 2 * MIB });
    const { free_bytes } = (await ask("GET", "/uploads")).body;
    expect(free_bytes).toBeGreaterThan(9 * MIB);
    expect(free_bytes).toBeLessThanOrEqual(10 * MIB);
    expect(await create({ ...RECITATION, bytes: free_bytes + 1 })).toMatchObject({ status: 400, code: "card_full" });
    expect((await create({ ...RECITATION, bytes: 6 * MIB })).status).toBe(200);
    // The first one has not sent anything yet, but its room is taken.
    expect(await create({ ...RECITATION, surah: 37, bytes: 6 * MIB })).toMatchObject({ status: 400, field: "bytes" });
  },
);

it.skipIf(!canMount)(
  "keeps what arrived before the card was full, and continues when there is room again",
  async () => {
    const { create, send, ask } = await start();
    const bytes = makeMp3(8 * MIB, 5);
    const { id } = (await create({ ...RECITATION, bytes: bytes.length })).body;
    writeFileSync(join(card, "filler"), Buffer.alloc(6 * MIB));
    expect(await send(id, 0, bytes)).toMatchObject({
      status: 500,
      code: "card_full",
      field: "card",
      body: { error: "card: the memory card is full" },
    });
    const { offset } = (await ask("GET", `/uploads/${id}`)).body;
    expect(offset).toBeGreaterThanOrEqual(0);
    expect(listVisible().toSorted()).toEqual(["filler", "label.txt"]);
    rmSync(join(card, "filler"));
    expect((await send(id, offset, bytes.subarray(offset))).body).toMatchObject({ complete: true });
    expect((await readFile(join(card, "Husary/036.mp3"))).equals(bytes)).toBe(true);
  },
);

it.skipIf(!canMount)("cancels and removes also when not a byte is free", async () => {
  const { create, send, ask, cardFiles } = await start();
  const bytes = makeMp3(100_000);
  const { id } = (await create({ ...RECITATION, bytes: 2 * bytes.length })).body;
  await send(id, 0, bytes);
  const other = (await create({ ...RECITATION, surah: 37, bytes: bytes.length })).body.id;
  expect((await send(other, 0, bytes)).body).toMatchObject({ complete: true });
  try {
    for (;;) appendFileSync(join(card, "filler"), Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  }
  expect((await ask("DELETE", `/uploads/${id}`)).status).toBe(200);
  await cardFiles.remove("Husary/037.mp3");
  expect(listVisible().toSorted()).toEqual(["Husary", "filler", "label.txt"]);
});

it.skipIf(!canMount)("says plainly that a card is read-only, and lists no room on it", async () => {
  expect(run("mount", "-o", "remount,ro", card)).toBe(true);
  const { create, ask, cardFiles } = await start();
  expect((await ask("GET", "/uploads")).body).toMatchObject({ card: "read_only", free_bytes: 0 });
  expect(await create({ ...RECITATION, bytes: 5000 })).toMatchObject({
    status: 500,
    code: "card_read_only",
    field: "card",
    body: { error: "card: the memory card is read-only" },
  });
  await expect(cardFiles.remove("label.txt")).rejects.toMatchObject({ code: "card_read_only" });
  await expect(cardFiles.rename("label.txt", "name.txt")).rejects.toMatchObject({ code: "card_read_only" });
});

it.skipIf(!canMount)("says plainly that a card became read-only while a piece was sent", async () => {
  const { create, send } = await start();
  const bytes = makeMp3(2 * MIB);
  const { id } = (await create({ ...RECITATION, bytes: bytes.length })).body;
  await send(id, 0, bytes.subarray(0, MIB));
  expect(run("mount", "-o", "remount,ro", card)).toBe(true);
  expect(await send(id, MIB, bytes.subarray(MIB))).toMatchObject({ status: 500, code: "card_read_only" });
  expect(run("mount", "-o", "remount,rw", card)).toBe(true);
  expect((await send(id, MIB, bytes.subarray(MIB))).body).toMatchObject({ complete: true });
});

it.skipIf(!canMount)(
  "ends an upload when the card is pulled out, and writes nothing into the device instead",
  async () => {
    const { url, create, send, ask, uploads } = await start();
    const { id } = (await create({ ...RECITATION, bytes: 8 * MIB })).body;
    const sending = request(`${url}/uploads/${id}?offset=0`, { method: "POST" });
    const answered = once(sending, "response");
    sending.write(makeMp3(MIB));
    await expect.poll(() => uploads.isBusy()).toBe(true);
    expect(run("umount", "--lazy", card)).toBe(true);
    // Before the library notices it.
    expect(await create({ ...RECITATION, surah: 1, bytes: 5000 })).toMatchObject({
      status: 500,
      code: "card_missing",
      body: { error: "card: no memory card is in" },
    });
    expect(await send(id, 0, makeMp3(5000))).toMatchObject({ status: 500, code: "card_missing" });
    const [response] = await answered;
    expect(response.headers["problem-code"]).toBe("card_missing");
    sending.destroy();
    expect((await ask("GET", "/uploads")).body).toMatchObject({ card: "missing", free_bytes: 0, uploads: [] });
    expect(readdirSync(card)).toEqual([]);
  },
);
