import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { setModesAndTimes } from "./deb.ts";
import { buildDebianImage, saveImage } from "./debian-image.ts";
import { ROOT, readEpoch, readVersion } from "./release.ts";
import { SOC_HOME, stageSoc } from "./soc-files.ts";

/** The Debian packages that Node and chDB need at run time. */
const PACKAGES = ["base-files", "libc6", "libgcc-s1", "libstdc++6"];
/** The user of the image, by number: a volume may belong to it before the image is known. */
const USER = 10_001;
const DATA_FOLDER = "var/lib/manara-soc";
/** For a volume that the platform and its broker share. */
const BROKER_FOLDER = "var/lib/manara-broker";

/** `npm run image:soc`: builds the image by mmdebstrap and podman, as root, and prints its digest, or the file that --folder makes of it. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      version: { type: "string", default: readVersion("soc") },
      name: { type: "string", default: "localhost/manara-soc" },
      suite: { type: "string", default: "bookworm" },
      folder: { type: "string" },
    },
  });
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  const name = `${values.name}:${values.version}`;
  const built = await buildDebianImage({
    name,
    containerfile: join(ROOT, "packaging/soc/image/Containerfile"),
    suite: values.suite,
    packages: PACKAGES,
    epochS,
    complete: (root) => addProduct(root, values.version, epochS),
  });
  if (values.folder === undefined) return void process.stdout.write(built);
  await mkdir(values.folder, { recursive: true });
  const file = join(values.folder, `manara-soc_${values.version}_amd64-image.tar.gz`);
  await saveImage(name, file);
  process.stdout.write(`${file}\n`);
}

async function addProduct(root: string, version: string, epochS: number): Promise<void> {
  await stageSoc(ROOT, root, version);
  await setModesAndTimes(join(root, SOC_HOME), epochS, (path) => path.endsWith("/bin/node"));
  for (const [folder, mode] of [
    [DATA_FOLDER, 0o700],
    [BROKER_FOLDER, 0o750],
  ] as const) {
    await mkdir(join(root, folder), { recursive: true });
    await chown(join(root, folder), USER, USER);
    await chmod(join(root, folder), mode);
  }
  const line = `manara-soc:x:${USER}:`;
  await writeFile(join(root, "etc/passwd"), `${line}${USER}:Manara SOC:/${DATA_FOLDER}:/nonexistent\n`);
  await writeFile(join(root, "etc/group"), `${line}\n`);
}

await main();
