import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";

export interface DebianImage {
  /** With its tag. */
  name: string;
  containerfile: string;
  suite: string;
  packages: readonly string[];
  epochS: number;
  /** Adds files that Debian does not have to the root folder of the image. */
  complete(root: string): Promise<void>;
}

const run = promisify(execFile);
const MAX_BUFFER_BYTES = 64 * 1024 * 1024;
const UNUSED = [
  "usr/share/doc",
  "usr/share/man",
  "usr/share/locale",
  "usr/share/lintian",
  "var/cache",
  "var/log",
  "var/lib/apt",
];

/** Builds an image from packages of Debian by mmdebstrap and podman, as root. Returns its name, digest and size. */
export async function buildDebianImage(image: DebianImage): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), "manara-image-"));
  try {
    const root = join(work, "root");
    await makeDebian(root, image);
    await image.complete(root);
    await packRoot(root, join(work, "root.tar"), image.epochS);
    await copyFile(image.containerfile, join(work, "Containerfile"));
    const times = `--timestamp=${image.epochS}`;
    await run("podman", ["build", "--quiet", "--no-cache", times, `--tag=${image.name}`, work]);
    const { stdout } = await run("podman", ["image", "inspect", "--format={{.Digest}} {{.Size}}", image.name]);
    return `${image.name} ${stdout}`;
  } finally {
    await rm(work, { recursive: true });
  }
}

/**
 * Writes an image to a packed file for `zcat FILE | podman load`. This format has no timestamp, unlike that of OCI
 * has.
 */
export async function saveImage(name: string, file: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "manara-image-"));
  try {
    const archive = join(work, "image.tar");
    await run("podman", ["save", "--quiet", "--format=docker-archive", `--output=${archive}`, name]);
    await pipeline(createReadStream(archive), createGzip({ level: 6 }), createWriteStream(file));
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Unpacks the packages; none of their scripts runs, so nothing in the result depends on this machine. */
async function makeDebian(root: string, { suite, packages, epochS }: DebianImage): Promise<void> {
  const args = ["--quiet", "--variant=extract", `--include=${packages.join(",")}`, suite, root];
  await run("mmdebstrap", args, {
    env: { PATH: process.env.PATH, SOURCE_DATE_EPOCH: String(epochS) },
    maxBuffer: MAX_BUFFER_BYTES,
  });
  for (const unused of UNUSED) await rm(join(root, unused), { recursive: true, force: true });
}

/** Reproducible: files in order, without names of users, and no time after that of the sources. */
async function packRoot(root: string, file: string, epochS: number): Promise<void> {
  const times = [`--mtime=@${epochS}`, "--clamp-mtime"];
  const plain = ["--sort=name", "--numeric-owner", "--format=posix", "--pax-option=delete=atime,delete=ctime"];
  await run("tar", ["--create", ...plain, ...times, `--file=${file}`, `--directory=${root}`, "."]);
}
