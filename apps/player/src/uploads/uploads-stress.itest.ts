import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMp3 } from "../../testing/audio-bytes.ts";
import { startUploadsBench, type UploadsBench } from "../../testing/uploads-bench.ts";
import { foldCardName } from "../library/card-name.ts";

const isFull = process.env.PROVE === "full";
const HOSTILE_COUNT = isFull ? 1000 : 40;
const CUT_MIB = isFull ? 64 : 5;
const MIB = 1024 * 1024;
const SEED = 17;
/** Every file is synced to the disk, and the disk may be busy. */
const LIMIT_MS = 600_000;

let base: string;
let card: string;
let bench: UploadsBench;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "uploads-siege-"));
  card = join(base, "card");
  await mkdir(join(card, "Husary"), { recursive: true });
  await mkdir(join(base, "outside"));
  await writeFile(join(base, "outside", "secret"), "secret");
  await symlink("../outside", join(card, "out"));
  await symlink(base, join(card, "up"));
  await symlink("nowhere", join(card, "gone"));
  bench = await startUploadsBench({ cardFolder: card });
  while ((await bench.ask("GET", "/uploads")).body.card !== "ready") await wait(20);
});
afterAll(async () => {
  await bench.close();
  await rm(base, { recursive: true });
});

const anyName = () =>
  fc.oneof(
    fc.constantFrom(
      "..",
      "../outside",
      "out",
      "OUT",
      "up",
      "gone",
      "/etc",
      "Husary/../../outside",
      "husary",
      "HUSARY",
      "Husary.",
      "Husary ",
      "CON",
      "nul.mp3",
      "COM1",
      "a:b",
      "HUSARY~1",
      "%2e%2e",
      "\u202ecod.exe",
      "e\u0301",
      "\u00e9",
      "Android",
      "Adhan",
      ".manara-uploads",
      "con\u0000",
      "back\\slash",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
    fc.string({ minLength: 150, maxLength: 260 }),
  );

const MARKS = ["fLaC", "RIFF\0\0\0\0WAVE", "RIFF\0\0\0\0AVI ", "OggS", "ID3\x04\0\0\x7f\x7f\x7f\x7f", "\xff\xfb\x90\0"];
const anyContent = () =>
  fc.oneof(
    fc.integer({ min: 1, max: 30_000 }).map((size) => makeMp3(size)),
    fc.uint8Array({ minLength: 1, maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom(...MARKS, "....ftypM4A ", "....ftypqt  ", "<html>", "\x7fELF", "PK\x03\x04"), fc.nat(5000))
      .map(([mark, size]) => Buffer.concat([Buffer.from(mark, "latin1"), Buffer.alloc(size)])),
  );

interface Sight {
  outside: string[];
  visible: string[];
}

/** Everything below a folder; links are listed, not followed. */
async function walk(folder: string, path = ""): Promise<string[]> {
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const below = join(path, entry.name);
      return entry.isDirectory() ? [below, ...(await walk(folder, below))] : [below];
    }),
  );
  return found.flat().toSorted();
}

async function look(): Promise<Sight> {
  return {
    outside: (await walk(base)).filter((path) => !path.startsWith("card/")),
    visible: (await walk(card)).filter((path) => !path.startsWith(".")),
  };
}

it(`lets ${HOSTILE_COUNT} hostile names and contents neither leave the card nor show half a file`, {
  timeout: LIMIT_MS,
}, async () => {
  const before = await look();
  const statuses = new Map<number, number>();
  const placed = new Map<string, string>();
  const sums = new Map<string, string>();
  const isKnown = (path: string) => before.visible.includes(path) || placed.has(path);

  async function attack(kind: "recitation" | "adhan", name: string, surah: number, content: Buffer): Promise<void> {
    const target = kind === "adhan" ? { kind, name } : { kind, reciter: name, surah };
    const created = await bench.create({ ...target, bytes: content.length, fingerprint: `${surah}` });
    const answer = created.status === 200 ? await bench.send(created.body.id, created.body.offset, content) : created;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.body.complete) {
      placed.set(answer.body.path, foldCardName(answer.body.path));
      sums.set(answer.body.path, createHash("sha256").update(content).digest("hex"));
    } else if (created.status === 200) await bench.ask("DELETE", `/uploads/${created.body.id}`);
  }

  const attacks = fc.sample(
    fc.tuple(fc.constantFrom("recitation", "adhan"), anyName(), fc.integer({ min: 1, max: 114 }), anyContent()),
    { numRuns: HOSTILE_COUNT, seed: SEED },
  );
  for (const [kind, name, surah, content] of attacks) await attack(kind, name, surah, content);

  const after = await look();
  expect(after.outside).toEqual(before.outside);
  const added = after.visible.filter((path) => !isKnown(path));
  for (const path of added) {
    // Only the folder of a file that is there.
    expect((await lstat(join(card, path))).isDirectory()).toBe(true);
    expect([...placed.keys()].some((file) => file.startsWith(`${path}/`))).toBe(true);
  }
  expect(new Set(placed.values()).size).toBe(placed.size);
  for (const [path, sum] of sums) {
    expect(
      createHash("sha256")
        .update(await readFile(join(card, path)))
        .digest("hex"),
    ).toBe(sum);
  }
  expect(new Set(statuses.keys())).toEqual(new Set([200, 400]));
  expect(placed.size).toBeGreaterThan(HOSTILE_COUNT / 20);
  console.info(`hostile uploads: ${HOSTILE_COUNT}, ${placed.size} placed, ${statuses.get(400)} refused`);
});

it(`is cut at every megabyte of ${CUT_MIB}, and ends with the same bytes`, { timeout: LIMIT_MS }, async () => {
  const bytes = makeMp3(CUT_MIB * MIB, SEED);
  const wanted = { kind: "recitation", reciter: "Cut", surah: 2, bytes: bytes.length };
  const { id } = (await bench.create(wanted)).body;
  let cuts = 0;
  let { offset } = (await bench.ask("GET", `/uploads/${id}`)).body;
  for (let megabyte = 1; megabyte < CUT_MIB; megabyte += 1) {
    const until = Math.max(offset + 1, megabyte * MIB);
    await bench.cut(id, offset, bytes.subarray(offset, until), Math.min(8 * MIB, bytes.length - offset));
    cuts += 1;
    expect(await readdir(card)).not.toContain("Cut");
    ({ offset } = (await bench.ask("GET", `/uploads/${id}`)).body);
    expect(offset).toBeLessThanOrEqual(until);
  }
  expect(offset).toBeGreaterThan((CUT_MIB - 3) * MIB);
  let answer = await bench.send(id, offset, bytes.subarray(offset, offset + 8 * MIB));
  while (!answer.body.complete) {
    ({ offset } = answer.body);
    answer = await bench.send(id, offset, bytes.subarray(offset, offset + 8 * MIB));
  }
  expect((await readFile(join(card, answer.body.path))).equals(bytes)).toBe(true);
  console.info(`cut ${cuts} times, the same ${bytes.length} bytes`);
});
