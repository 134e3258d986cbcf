import { execFile } from "node:child_process";
import { chmod, chown, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { setModesAndTimes } from "./deb.ts";
import { ROOT, readEpoch, readVersion } from "./release.ts";
import { SOC_HOME, stageSoc } from "./soc-files.ts";

const run = promisify(execFile);
/** All that Node and chDB load beside themselves. */
const PACKAGES = ["base-files", "libc6", "libgcc-s1", "libstdc++6"];
/** The user of the image, by number: a volume may belong to it before the image is known. */
const USER = 10_001;
const DATA_FOLDER = "var/lib/manara-soc";
const MAX_BUFFER_BYTES = 64 * 1024 * 1024;

/** `npm run image:soc`: builds the image by mmdebstrap and podman, as root, and prints its digest. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      version: { type: "string", default: readVersion("soc") },
      name: { type: "string", default: "localhost/manara-soc" },
      suite: { type: "string", default: "bookworm" },
    },
  });
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  const work = await mkdtemp(join(tmpdir(), "manara-soc-image-"));
  try {
    const root = join(work, "root");
    await makeDebian(root, values.suite, epochS);
    await addProduct(root, values.version, epochS);
    await packRoot(root, join(work, "root.tar"), epochS);
    const image = `${values.name}:${values.version}`;
    await copyFile(join(ROOT, "packaging/soc/image/Containerfile"), join(work, "Containerfile"));
    await run("podman", ["build", "--quiet", "--no-cache", `--timestamp=${epochS}`, `--tag=${image}`, work]);
    const { stdout } = await run("podman", ["image", "inspect", "--format={{.Digest}} {{.Size}}", image]);
    process.stdout.write(`${image} ${stdout}`);
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Unpacks the packages; none of their scripts runs, so nothing in the result depends on this machine. */
async function makeDebian(root: string, suite: string, epochS: number): Promise<void> {
  const args = ["--quiet", "--variant=extract", `--include=${PACKAGES.join(",")}`, suite, root];
  await run("mmdebstrap", args, {
    env: { PATH: process.env.PATH, SOURCE_DATE_EPOCH: String(epochS) },
    maxBuffer: MAX_BUFFER_BYTES,
  });
  for (const unused of [
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "usr/share/lintian",
    "var/cache",
    "var/log",
    "var/lib/apt",
  ]) {
    await rm(join(root, unused), { recursive: true, force: true });
  }
}

async function addProduct(root: string, version: string, epochS: number): Promise<void> {
  await stageSoc(ROOT, root, version);
  await setModesAndTimes(join(root, SOC_HOME), epochS, (path) => path.endsWith("/bin/node"));
  await mkdir(join(root, DATA_FOLDER), { recursive: true });
  await chown(join(root, DATA_FOLDER), USER, USER);
  await chmod(join(root, DATA_FOLDER), 0o700);
  const line = `manara-soc:x:${USER}:`;
  await writeFile(join(root, "etc/passwd"), `${line}${USER}:Manara SOC:/${DATA_FOLDER}:/nonexistent\n`);
  await writeFile(join(root, "etc/group"), `${line}\n`);
}

/** Reproducible: files in order, without names of users, and no time after that of the sources. */
async function packRoot(root: string, file: string, epochS: number): Promise<void> {
  const times = [`--mtime=@${epochS}`, "--clamp-mtime"];
  const plain = ["--sort=name", "--numeric-owner", "--format=posix", "--pax-option=delete=atime,delete=ctime"];
  await run("tar", ["--create", ...plain, ...times, `--file=${file}`, `--directory=${root}`, "."]);
}

await main();
