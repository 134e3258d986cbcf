import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeMp3 } from "../../testing/audio-bytes.ts";
import { startUploadsBench, type UploadsBench, type UploadsBenchOptions } from "../../testing/uploads-bench.ts";
import { UPLOADS_FOLDER } from "./uploads.store.ts";

const MIB = 1024 * 1024;
const RECITATION = { kind: "recitation", reciter: "Husary", surah: 36 } as const;

let base: string;
let card: string;
const benches: UploadsBench[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "uploads-"));
  card = join(base, "card");
  await mkdir(join(card, "Minshawi"), { recursive: true });
  await writeFile(join(card, "Minshawi", "001.mp3"), makeMp3(1000));
});
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
  await rm(base, { recursive: true });
});

async function start(options: Partial<UploadsBenchOptions> = {}): Promise<UploadsBench> {
  const bench = await startUploadsBench({ cardFolder: card, ...options });
  benches.push(bench);
  await expect.poll(async () => (await bench.ask("GET", "/uploads")).body.card).toBe("ready");
  return bench;
}

async function stop(bench: UploadsBench): Promise<void> {
  benches.splice(benches.indexOf(bench), 1);
  await bench.close();
}

const listHidden = () => readdir(join(card, UPLOADS_FOLDER)).catch((): string[] => []);

/** Sends the rest in whole pieces. Returns the last answer. */
async function sendAll({ send }: UploadsBench, id: string, bytes: Buffer, from = 0) {
  for (let offset = from; ; offset += 8 * MIB) {
    const answer = await send(id, offset, bytes.subarray(offset, offset + 8 * MIB));
    if (answer.status !== 200 || answer.body.complete) return answer;
  }
}

describe("an upload", () => {
  it("brings a recitation onto the card in pieces, and the library shows it without a restart", async () => {
    const bench = await start();
    const bytes = makeMp3(9 * MIB);
    const created = await bench.create({ ...RECITATION, bytes: bytes.length });
    expect(created).toMatchObject({ status: 200, body: { success: true, created: true, offset: 0, complete: false } });
    const first = await bench.send(created.body.id, 0, bytes.subarray(0, 8 * MIB));
    expect(first.body).toMatchObject({ offset: 8 * MIB, complete: false, path: "" });
    expect(await readdir(card)).not.toContain("Husary");
    const last = await bench.send(created.body.id, 8 * MIB, bytes.subarray(8 * MIB));
    expect(last.body).toMatchObject({ success: true, complete: true, path: "Husary/036.mp3" });
    expect((await readFile(join(card, "Husary/036.mp3"))).equals(bytes)).toBe(true);
    await expect.poll(() => bench.library.find("Husary", 36)?.path, { timeout: 1500 }).toBe("Husary/036.mp3");
    expect(await listHidden()).toEqual([]);
    expect((await bench.ask("GET", `/uploads/${created.body.id}`)).body).toMatchObject({ complete: true });
  });

  it("names an adhan by its name, and every file by its content", async () => {
    const bench = await start();
    const flac = Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(5000)]);
    const { body } = await bench.create({ kind: "adhan", name: "Makkah 1", bytes: flac.length });
    expect((await bench.send(body.id, 0, flac)).body).toMatchObject({ complete: true, path: "Adhan/Makkah 1.flac" });
  });

  it("continues where a broken connection left it, and ends with the same bytes", async () => {
    const bench = await start();
    const bytes = makeMp3(3 * MIB, 7);
    const { id } = (await bench.create({ ...RECITATION, bytes: bytes.length })).body;
    await bench.cut(id, 0, bytes.subarray(0, MIB), bytes.length);
    const { offset } = (await bench.ask("GET", `/uploads/${id}`)).body;
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(MIB);
    expect((await sendAll(bench, id, bytes, offset)).body).toMatchObject({ complete: true });
    expect((await readFile(join(card, "Husary/036.mp3"))).equals(bytes)).toBe(true);
  });

  it("continues after a restart of the service, when the same file is offered again", async () => {
    const first = await start();
    const bytes = makeMp3(10 * MIB, 3);
    const { id } = (await first.create({ ...RECITATION, bytes: bytes.length })).body;
    await first.send(id, 0, bytes.subarray(0, 8 * MIB));
    await stop(first);
    const second = await start();
    const again = await second.create({ ...RECITATION, bytes: bytes.length });
    expect(again.body).toMatchObject({ id, created: false, offset: 8 * MIB });
    expect((await sendAll(second, id, bytes, 8 * MIB)).body).toMatchObject({ complete: true });
    expect((await readFile(join(card, "Husary/036.mp3"))).equals(bytes)).toBe(true);
  });

  it("drops bytes that a power cut left behind the last piece that was answered", async () => {
    const first = await start();
    const bytes = makeMp3(9 * MIB);
    const { id } = (await first.create({ ...RECITATION, bytes: bytes.length })).body;
    await first.send(id, 0, bytes.subarray(0, 8 * MIB));
    await stop(first);
    await truncate(join(card, UPLOADS_FOLDER, `${id}.part`), 8.5 * MIB);
    const second = await start();
    expect((await second.ask("GET", `/uploads/${id}`)).body.offset).toBe(8 * MIB);
    expect((await sendAll(second, id, bytes, 8 * MIB)).body).toMatchObject({ complete: true });
    expect((await readFile(join(card, "Husary/036.mp3"))).equals(bytes)).toBe(true);
  });

  it("answers a repeated last piece as it answered the first", async () => {
    const bench = await start();
    const bytes = makeMp3(5000);
    const { id } = (await bench.create({ ...RECITATION, bytes: bytes.length })).body;
    const answer = await bench.send(id, 0, bytes);
    expect((await bench.send(id, 0, bytes)).body).toEqual(answer.body);
  });

  it("keeps a piece only if its digest is right", async () => {
    const bench = await start();
    const bytes = makeMp3(5000);
    const { id } = (await bench.create({ ...RECITATION, bytes: bytes.length })).body;
    const wrong = await bench.ask("POST", `/uploads/${id}?offset=0&sha256=${"0".repeat(64)}`, bytes);
    expect(wrong).toMatchObject({ status: 400, code: "digest_mismatch", field: "sha256" });
    expect((await bench.ask("GET", `/uploads/${id}`)).body.offset).toBe(0);
    const right = createHash("sha256").update(bytes).digest("hex");
    const kept = await bench.ask("POST", `/uploads/${id}?offset=0&sha256=${right}`, bytes);
    expect(kept.body).toMatchObject({ complete: true });
  });

  it("an upload is cancelled while it is being sent, and leaves nothing", async () => {
    const bench = await start();
    const { id } = (await bench.create({ ...RECITATION, bytes: 4 * MIB })).body;
    const sending = request(`${bench.url}/uploads/${id}?offset=0`, { method: "POST" });
    const answered = once(sending, "response");
    sending.write(makeMp3(MIB));
    await expect.poll(() => bench.uploads.isBusy()).toBe(true);
    expect((await bench.ask("DELETE", `/uploads/${id}`)).status).toBe(200);
    const [response] = await answered;
    expect(response.statusCode).toBe(400);
    expect(response.headers["problem-code"]).toBe("upload_cancelled");
    sending.destroy();
    expect(await listHidden()).toEqual([]);
    expect((await bench.ask("GET", `/uploads/${id}`)).status).toBe(404);
  });
});

describe("an upload refuses", () => {
  it.each([
    [{ kind: "recitation", surah: 1 }, "reciter"],
    [{ kind: "recitation", reciter: "Husary" }, "surah"],
    [{ kind: "recitation", reciter: "Husary", surah: 115 }, "surah"],
    [{ kind: "recitation", reciter: "../Husary", surah: 1 }, "reciter"],
    [{ kind: "recitation", reciter: "Android", surah: 1 }, "reciter"],
    [{ kind: "adhan" }, "name"],
    [{ kind: "adhan", name: "a:b" }, "name"],
    [{ kind: "song", name: "a" }, "kind"],
    [{ kind: "adhan", name: "a", bytes: 0 }, "bytes"],
    [{ kind: "adhan", name: "a", bytes: 3 * 1024 * MIB }, "bytes"],
    [{ kind: "adhan", name: "a", fingerprint: "" }, "fingerprint"],
  ])("%j and names the field %s", async (wanted, field) => {
    const bench = await start();
    expect(await bench.create({ bytes: 100, ...wanted })).toMatchObject({ status: 400, field });
    expect(await listHidden()).toEqual([]);
  });

  it("a file that is no audio, whatever its name says, and keeps nothing of it", async () => {
    const bench = await start();
    const page = Buffer.from("<!doctype html>".repeat(2000));
    const { id } = (await bench.create({ ...RECITATION, bytes: page.length })).body;
    expect(await bench.send(id, 0, page)).toMatchObject({ status: 400, code: "type_refused", field: "body" });
    expect(await listHidden()).toEqual([]);
    expect(await readdir(card)).not.toContain("Husary");
  });

  it("a file that is no audio after its first piece, before the rest is sent", async () => {
    const bench = await start();
    const { id } = (await bench.create({ ...RECITATION, bytes: 100 * MIB })).body;
    expect(await bench.send(id, 0, Buffer.alloc(MIB))).toMatchObject({ status: 400, code: "type_refused" });
    expect(await listHidden()).toEqual([]);
  });

  it("a piece at another offset, and says where it must begin", async () => {
    const bench = await start();
    const bytes = makeMp3(5000);
    const { id } = (await bench.create({ ...RECITATION, bytes: bytes.length })).body;
    await bench.send(id, 0, bytes.subarray(0, 3000));
    for (const offset of [0, 2999, 3001, 5000]) {
      expect(await bench.send(id, offset, bytes.subarray(3000))).toMatchObject({
        status: 400,
        code: "offset_mismatch",
        body: { error: "offset: must be 3000" },
      });
    }
    expect((await bench.send(id, 3000, bytes.subarray(3000))).body).toMatchObject({ complete: true });
  });

  it("more bytes than were announced, and forgets the piece that brought them", async () => {
    const bench = await start();
    const bytes = makeMp3(5000);
    const { id } = (await bench.create({ ...RECITATION, bytes: 4000 })).body;
    expect(await bench.send(id, 0, bytes)).toMatchObject({ status: 400, field: "body" });
    const sending = request(`${bench.url}/uploads/${id}?offset=0`, { method: "POST" });
    sending.end(bytes);
    const [response] = await once(sending, "response");
    expect(response.statusCode).toBe(400);
    response.resume();
    expect((await bench.ask("GET", `/uploads/${id}`)).body.offset).toBe(0);
    expect((await bench.send(id, 0, bytes.subarray(0, 4000))).body).toMatchObject({ complete: true });
    expect((await readFile(join(card, "Husary/036.mp3"))).length).toBe(4000);
  });

  it("a piece over 8 MiB", async () => {
    const bench = await start();
    const { id } = (await bench.create({ ...RECITATION, bytes: 20 * MIB })).body;
    expect(await bench.send(id, 0, makeMp3(8 * MIB + 1))).toMatchObject({ status: 400, field: "body" });
  });

  it("an upload refuses to overwrite a surah without being asked, and replaces it when asked, under any file name", async () => {
    const bench = await start();
    const bytes = makeMp3(5000, 9);
    const minshawi = { kind: "recitation", reciter: "MINSHAWI", surah: 1, bytes: bytes.length };
    expect(await bench.create(minshawi)).toMatchObject({ status: 400, code: "file_exists", field: "name" });
    await writeFile(join(card, "Minshawi", "1 Al-Fatihah.wav"), "old");
    const { id } = (await bench.create({ ...minshawi, replace: true })).body;
    expect((await bench.send(id, 0, bytes)).body).toMatchObject({ path: "Minshawi/001.mp3" });
    expect(await readdir(join(card, "Minshawi"))).toEqual(["001.mp3"]);
    expect((await readdir(card)).filter((name) => name.toLowerCase() === "minshawi")).toEqual(["Minshawi"]);
    expect((await readFile(join(card, "Minshawi/001.mp3"))).equals(bytes)).toBe(true);
  });

  it("an upload refuses to replace the file that plays, and finishes when it has stopped", async () => {
    let playing = "Minshawi/001.mp3";
    const bench = await start({ isInUse: (path) => path === playing });
    const bytes = makeMp3(5000, 9);
    const wanted = { kind: "recitation", reciter: "Minshawi", surah: 1, bytes: bytes.length, replace: true };
    const { id } = (await bench.create(wanted)).body;
    expect(await bench.send(id, 0, bytes)).toMatchObject({ status: 400, code: "file_playing" });
    expect((await readFile(join(card, "Minshawi/001.mp3"))).length).toBe(1000);
    playing = "";
    expect((await bench.send(id, bytes.length, Buffer.alloc(0))).body).toMatchObject({ complete: true });
  });

  it("a file that came onto the card under the same name meanwhile", async () => {
    const bench = await start();
    const bytes = makeMp3(5000);
    const { id } = (await bench.create({ ...RECITATION, bytes: bytes.length })).body;
    await mkdir(join(card, "husary"));
    await writeFile(join(card, "husary", "036.m4a"), "by a computer");
    expect(await bench.send(id, 0, bytes)).toMatchObject({ status: 400, code: "file_exists" });
    expect(await readdir(join(card, "husary"))).toEqual(["036.m4a"]);
    const renewed = await bench.create({ ...RECITATION, bytes: bytes.length, replace: true });
    expect(renewed.body).toMatchObject({ id, created: false, offset: bytes.length });
    expect((await bench.send(id, bytes.length, Buffer.alloc(0))).body).toMatchObject({ path: "husary/036.mp3" });
    expect(await readdir(join(card, "husary"))).toEqual(["036.mp3"]);
  });

  it("a second upload to the same place, unless it replaces the first", async () => {
    const bench = await start();
    const answers = await Promise.all(
      ["a", "b", "c"].map((fingerprint) => bench.create({ ...RECITATION, bytes: 5000, fingerprint })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "upload_exists")).toHaveLength(2);
    const other = await bench.create({ ...RECITATION, bytes: 5000, fingerprint: "d", replace: true });
    expect(other.body).toMatchObject({ created: true });
    expect((await bench.ask("GET", "/uploads")).body.uploads).toMatchObject([{ id: other.body.id }]);
  });

  it("a second browser while the first sends, and lets it continue afterwards", async () => {
    const bench = await start();
    const bytes = makeMp3(3 * MIB);
    const { id } = (await bench.create({ ...RECITATION, bytes: bytes.length })).body;
    const sending = request(`${bench.url}/uploads/${id}?offset=0`, { method: "POST" });
    const answered = once(sending, "response");
    sending.write(bytes.subarray(0, MIB));
    await expect.poll(() => bench.uploads.isBusy()).toBe(true);
    expect(await bench.send(id, 0, bytes)).toMatchObject({ status: 400, code: "upload_busy" });
    sending.end(bytes.subarray(MIB, 2 * MIB));
    (await answered)[0].resume();
    expect((await bench.send(id, 2 * MIB, bytes.subarray(2 * MIB))).body).toMatchObject({ complete: true });
    expect((await readFile(join(card, "Husary/036.mp3"))).equals(bytes)).toBe(true);
  });

  it("the seventeenth unfinished upload", async () => {
    const bench = await start();
    for (let surah = 1; surah <= 16; surah += 1) {
      expect((await bench.create({ ...RECITATION, surah, bytes: 5000 })).status).toBe(200);
    }
    expect(await bench.create({ ...RECITATION, surah: 17, bytes: 5000 })).toMatchObject({
      status: 400,
      code: "storage_limit",
    });
  });

  it("a sender that is slower than 1 kB a second, and keeps what it sent", async () => {
    const real = createClock();
    // The watch over the sender runs a hundred times faster than the sender itself.
    const clock = { ...real, monotonicMs: () => real.monotonicMs() * 100, sleep: fasterSleep };
    function fasterSleep(ms: number, signal?: AbortSignal): Promise<void> {
      return real.sleep(ms / 100, signal);
    }
    const bench = await start({ clock });
    const { id } = (await bench.create({ ...RECITATION, bytes: 5 * MIB })).body;
    const bytes = makeMp3(MIB);
    const sending = request(`${bench.url}/uploads/${id}?offset=0`, { method: "POST" });
    const answered = once(sending, "response");
    let sent = 0;
    const trickle = setInterval(() => {
      sending.write(bytes.subarray(sent, sent + 50));
      sent += 50;
    }, 5);
    const [response] = await answered;
    clearInterval(trickle);
    sending.destroy();
    expect(response.headers["problem-code"]).toBe("too_slow");
    expect((await bench.ask("GET", `/uploads/${id}`)).body.offset).toBeGreaterThan(0);
  });

  it("an unknown upload with 404", async () => {
    const bench = await start();
    for (const id of ["nope", "..%2f..%2fetc", "00000000-0000-7000-8000-000000000000"]) {
      expect((await bench.ask("GET", `/uploads/${id}`)).status).toBe(404);
      expect((await bench.ask("DELETE", `/uploads/${id}`)).status).toBe(404);
      expect((await bench.ask("POST", `/uploads/${id}?offset=0`, Buffer.from("x"))).status).toBe(404);
    }
  });
});

describe("unfinished uploads on a card", () => {
  it("expire after two days, and everything else in their folder is removed", async () => {
    const first = await start();
    const old = (await first.create({ ...RECITATION, bytes: 5000 })).body.id;
    const young = (await first.create({ ...RECITATION, surah: 37, bytes: 5000 })).body.id;
    await stop(first);
    const path = join(card, UPLOADS_FOLDER, `${old}.json`);
    const record = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...record, changed_at: record.changed_at - 49 * 3600 }));
    await writeFile(join(card, UPLOADS_FOLDER, "something.part"), "left behind");
    await utimes(path, 0, 0);
    const second = await start();
    expect((await second.ask("GET", "/uploads")).body.uploads).toMatchObject([{ id: young }]);
    expect((await listHidden()).toSorted()).toEqual([`${young}.json`, `${young}.part`]);
  });

  it("cannot lead out of the card, however they were written there", async () => {
    const id = "00000000-0000-7000-8000-000000000001";
    const folder = join(card, UPLOADS_FOLDER);
    await mkdir(folder);
    const record = { id, kind: "recitation", surah: 1, name: "", bytes: 4, fingerprint: "f", replace: true, offset: 4 };
    const hostile = { ...record, reciter: "../../out", changed_at: Math.floor(Date.now() / 1000) };
    await writeFile(join(folder, `${id}.json`), JSON.stringify(hostile));
    await writeFile(join(folder, `${id}.part`), "fLaC");
    const bench = await start();
    expect((await bench.ask("GET", "/uploads")).body.uploads).toEqual([]);
    expect((await bench.send(id, 4, Buffer.alloc(0))).status).toBe(404);
    expect(await readdir(base)).toEqual(["card"]);
  });

  it("are refused when their folder is a link to another place", async () => {
    await mkdir(join(base, "elsewhere"));
    await symlink(join(base, "elsewhere"), join(card, UPLOADS_FOLDER));
    const bench = await startUploadsBench({ cardFolder: card });
    benches.push(bench);
    await expect.poll(() => bench.library.hasCard()).toBe(true);
    expect(await bench.create({ ...RECITATION, bytes: 5000 })).toMatchObject({ status: 500, field: "card" });
    expect(await readdir(join(base, "elsewhere"))).toEqual([]);
  });
});
