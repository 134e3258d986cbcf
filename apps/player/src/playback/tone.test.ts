import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openTone, toneWav } from "./tone.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tone-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it("has three seconds of sound that begin and end in silence and never clip", async () => {
  const { parseBuffer } = await import("music-metadata");
  const wav = toneWav();
  const { format } = await parseBuffer(wav, { mimeType: "audio/wav" });
  expect(format).toMatchObject({ container: "WAVE", numberOfChannels: 1, bitsPerSample: 16, duration: 3 });
  const samples = Array.from({ length: (wav.length - 44) / 2 }, (_, index) => wav.readInt16LE(44 + index * 2));
  const peak = Math.max(...samples.map(Math.abs));
  expect(peak).toBeGreaterThan(20_000);
  expect(peak).toBeLessThan(32_767);
  expect([samples[0], Math.abs(samples.at(-1) ?? 1)]).toEqual([0, 0]);
});

it("is written once, and again when it is incomplete", async () => {
  const folder = await newFolder();
  const path = await openTone(folder);
  expect(toneWav().equals(await readFile(path))).toBe(true);
  await writeFile(path, "RIFF");
  expect(await openTone(folder)).toBe(path);
  expect(toneWav().equals(await readFile(path))).toBe(true);
  expect(await readdir(folder)).toEqual(["tone.wav"]);
});

it("can be read by the user that runs mpv, also when an earlier release wrote it", async () => {
  const folder = await newFolder();
  const path = await openTone(folder);
  await chmod(path, 0o600);
  await openTone(folder);
  expect((await stat(path)).mode & 0o777).toBe(0o644);
});

it("is a temporary file when the device's storage cannot be written", async () => {
  const path = await openTone(join(await newFolder(), "missing"));
  onTestFinished(() => rm(path));
  expect(toneWav().equals(await readFile(path))).toBe(true);
});
