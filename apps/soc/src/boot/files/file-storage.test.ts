import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { openFileStorage } from "./file-storage.ts";

const clock = createClock();
const dataFolder = mkdtempSync(join(tmpdir(), "file-storage-"));
afterAll(() => rmSync(dataFolder, { recursive: true }));

function writeKey(content: string, mode = 0o600): string {
  const path = join(dataFolder, `key-${content.length}-${mode}`);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const open = (environment: Record<string, string>) =>
  openFileStorage({ settings: readConfig(environment).storage, dataFolder, clock, ids: createIds(clock) });

it("stores on disk, at most a hundred MB per file, by default", async () => {
  expect(await open({})).toMatchObject({ maxBytes: 104_857_600 });
  expect(await open({ SOC_FILE_MB: "5" })).toMatchObject({ maxBytes: 5_242_880 });
});

it("stores in a bucket whose key is in a file", async () => {
  const SOC_FILES_KEY_FILE = writeKey("AKIAIOSFODNN7EXAMPLE:secret\n");
  expect(await open({ SOC_FILES: "https://s3.example.org/evidence/soc", SOC_FILES_KEY_FILE })).toHaveProperty("store");
  expect(await open({ SOC_FILES: "http://10.0.0.7:9000/evidence", SOC_FILES_KEY_FILE })).toHaveProperty("store");
});

it.each([
  [{ SOC_FILES: "https://s3.example.org/evidence" }, /^SOC_FILES_KEY_FILE: required when SOC_FILES is a URL$/],
  [{ SOC_FILES_KEY_FILE: "/nowhere" }, /^SOC_FILES_KEY_FILE: must be omitted if SOC_FILES is disk$/],
  [{ SOC_FILES: "https://s3.example.org/", SOC_FILES_KEY_FILE: "/nowhere" }, /^SOC_FILES: must name a bucket/],
  [{ SOC_FILES: "https://s3.example.org/a/../b", SOC_FILES_KEY_FILE: "/nowhere" }, /^SOC_FILES_KEY_FILE: /],
  [{ SOC_FILES: "https://s3.example.org/a%20b", SOC_FILES_KEY_FILE: "/nowhere" }, /^SOC_FILES: must name a bucket/],
  [{ SOC_FILES: "https://id:secret@s3.example.org/a", SOC_FILES_KEY_FILE: "/nowhere" }, /^SOC_FILES: (?!.*secret)/],
  [
    { SOC_FILES: "http://s3.example.org/evidence", SOC_FILES_KEY_FILE: "/nowhere" },
    /^SOC_FILES: must start with https/,
  ],
])("refuses %j and names the variable", async (environment, message) => {
  await expect(open(environment)).rejects.toThrow(message);
});

it.each([
  ["secret without an id", 0o600, /^SOC_FILES_KEY_FILE: must contain the id and the secret(?!.*without)/],
  ["id:readable for others", 0o644, /^SOC_FILES_KEY_FILE: must be accessible to its owner only$/],
])("refuses a key file with %j", async (content, mode, message) => {
  const SOC_FILES_KEY_FILE = writeKey(content, mode);
  await expect(open({ SOC_FILES: "https://s3.example.org/evidence", SOC_FILES_KEY_FILE })).rejects.toThrow(message);
});
