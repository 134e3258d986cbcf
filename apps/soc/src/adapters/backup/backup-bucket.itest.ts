import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUCKET_SECRET, type BucketServer, startBucketServer } from "../../../testing/servers/bucket-server.ts";
import { S3_KEY, startS3Server } from "../../../testing/servers/s3-server.ts";
import { createBackupBucket } from "./backup-bucket.ts";

const PIECE_BYTES = 16 * 1024 ** 2;
const waits: number[] = [];
const clock = { ...createClock(), sleep: async (ms: number) => void waits.push(ms) };
let server: BucketServer;
let folder: string;

beforeAll(async () => {
  server = await startBucketServer();
  folder = await mkdtemp(join(tmpdir(), "soc-backup-bucket-"));
});

afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true });
});

const open = () =>
  createBackupBucket({
    settings: {
      url: `${server.url}/nightly`,
      accessKeyId: "S3RVER",
      secretAccessKey: BUCKET_SECRET,
      region: "us-east-1",
    },
    clock,
  });

it.each([
  ["empty", 0],
  ["of one piece", PIECE_BYTES],
  ["of three pieces", 2 * PIECE_BYTES + 1],
])("restores a file that is %s unchanged", async (name, size) => {
  const bytes = randomBytes(size);
  const path = `logs of ${size}(%2E).bin`;
  await writeFile(join(folder, path), bytes);
  await open().upload(folder, path);
  expect(await server.list(), name).toContain(`nightly/${path}`);
  await open().download(join(folder, "back"), path);
  expect((await readFile(join(folder, "back", path))).equals(bytes)).toBe(true);
});

it("returns undefined for a text that was not written", async () => {
  expect(await open().readText("manifest.json")).toBeUndefined();
  await writeFile(join(folder, "manifest.json"), "{}\n");
  await open().upload(folder, "manifest.json");
  expect(await open().readText("manifest.json")).toBe("{}\n");
});

it("refuses a wrong key at once, without revealing it", async () => {
  const strict = await startS3Server();
  waits.length = 0;
  const settings = { url: `${strict.url}/bucket`, ...S3_KEY, secretAccessKey: "another-secret", region: "us-east-1" };
  const refused = await createBackupBucket({ settings, clock })
    .upload(folder, "manifest.json")
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: "the bucket of the backup answered 403: SignatureDoesNotMatch" });
  expect(JSON.stringify(refused)).not.toContain("another-secret");
  expect(waits).toEqual([]);
  await strict.close();
});

it("retries transient failures seven times within half a minute", async () => {
  const failing = await startS3Server();
  failing.fail(503);
  waits.length = 0;
  const bucket = createBackupBucket({
    settings: { url: `${failing.url}/bucket`, ...S3_KEY, region: "us-east-1" },
    clock: { ...clock, now: () => new Date() },
  });
  await writeFile(join(folder, "small"), "x");
  const message = "the bucket of the backup answered 503: SlowDown";
  await expect(bucket.upload(folder, "small")).rejects.toMatchObject({ message });
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000]);
  expect(failing.requests).toHaveLength(7);
  failing.fail(0);
  await bucket.upload(folder, "small");
  expect(failing.objects.get("/bucket/small")?.toString()).toBe("x");
  await failing.close();
});
