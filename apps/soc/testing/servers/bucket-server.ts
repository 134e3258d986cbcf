import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { freePort, startProcess } from "@kit/testing/process";

export interface BucketServer {
  /** The URL of the bucket. */
  url: string;
  /** A file with the id and the secret of its key, readable by its owner only. */
  keyFile: string;
  /** The names of all objects. */
  list(): Promise<string[]>;
  /** The file that holds an object. */
  find(name: string): string;
  /** Stops responding, and resumes with the same objects. */
  down(): Promise<void>;
  up(): Promise<void>;
  remove(): Promise<void>;
}

/** The only key that s3rver knows. */
export const BUCKET_SECRET = "S3RVER";
const BUCKET = "manara";
const OBJECT = "._S3rver_object";
const require = createRequire(import.meta.url);
const PROGRAM = join(dirname(require.resolve("s3rver/package.json")), "bin/s3rver.js");

/** A process of s3rver with one bucket, in its own folder. It does not refuse invalid signatures. */
export async function startBucketServer(): Promise<BucketServer> {
  const home = await mkdtemp(join(tmpdir(), "bucket-"));
  const [port, folder, keyFile] = [await freePort(), join(home, "objects"), join(home, "key")];
  await mkdir(folder);
  await writeFile(keyFile, `S3RVER:${BUCKET_SECRET}\n`, { mode: 0o600 });
  const args = [
    // It encrypts the marks of its lists with a cipher that is disabled by default today.
    "--openssl-legacy-provider",
    PROGRAM,
    "-d",
    folder,
    "-a",
    "127.0.0.1",
    "-p",
    String(port),
    "--no-vhost-buckets",
    "--configure-bucket",
    BUCKET,
  ];
  const start = () => startProcess({ command: process.execPath, args, readyWhen: /S3rver listening/ });
  let running = await start();
  return {
    url: `http://127.0.0.1:${port}/${BUCKET}`,
    keyFile,
    async list() {
      const names = await readdir(join(folder, BUCKET), { recursive: true });
      return names.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length));
    },
    find: (name) => join(folder, BUCKET, `${name}${OBJECT}`),
    async down() {
      await running.stop("SIGKILL");
    },
    async up() {
      running = await start();
    },
    async remove() {
      await running.stop("SIGKILL");
      await rm(home, { recursive: true, force: true });
    },
  };
}
