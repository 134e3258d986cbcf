import { appendFile, chmod, chown, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { buildDebianImage, type DebianImage } from "./debian-image.ts";
import { ROOT, readEpoch } from "./release.ts";

interface Server extends Pick<DebianImage, "suite" | "packages"> {
  tag: string;
  /** By number: a volume may belong to it before the image is known. */
  user: number;
  /** Folders below / that are volumes, with owner and mode; the first one is for its data. */
  folders: readonly (readonly [path: string, owner: number, mode: number])[];
  /** Folders and files of the repository, and where they lie in the image. */
  files?: Readonly<Record<string, string>>;
}

const FOLDER = "packaging/soc/servers";
/** Of a server that has a script. */
const TOOLS = ["base-files", "dash", "coreutils", "findutils"];
const SERVERS: Readonly<Record<string, Server>> = {
  postgres: {
    tag: "15",
    suite: "bookworm",
    packages: [...TOOLS, "libc-bin", "postgresql-15"],
    user: 10_004,
    folders: [["var/lib/postgresql/data", 10_004, 0o700]],
    files: { [`${FOLDER}/postgres/bin`]: "usr/local/bin" },
  },
  // Debian 12's does not know `sync_interval: always`.
  nats: {
    tag: "2.10",
    suite: "trixie",
    packages: ["base-files", "nats-server"],
    user: 10_002,
    folders: [["var/lib/nats", 10_002, 0o700]],
  },
  mosquitto: {
    tag: "2.0",
    suite: "bookworm",
    packages: [...TOOLS, "mosquitto"],
    user: 10_003,
    folders: [
      ["var/lib/mosquitto", 10_003, 0o700],
      // The platform writes here, and the broker is in its group.
      ["var/lib/manara-broker", 10_001, 0o750],
    ],
    files: {
      [`${FOLDER}/mosquitto/bin`]: "usr/local/bin",
      [`${FOLDER}/mosquitto/container.conf`]: "etc/mosquitto/container.conf",
      "apps/soc/broker/mosquitto.conf": "etc/mosquitto/conf.d/manara-soc.conf",
      "apps/soc/broker/dynamic-security.json": "etc/mosquitto/dynamic-security.json",
    },
  },
};

/** `npm run image:servers [-- postgres nats mosquitto]`: images of Debian's servers, as root. */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  for (const name of positionals.length === 0 ? Object.keys(SERVERS) : positionals) {
    const server = SERVERS[name];
    if (!server) throw new Error(`${name}: must be one of ${Object.keys(SERVERS).join(", ")}`);
    const built = await buildDebianImage({
      ...server,
      name: `localhost/manara-${name}:${server.tag}`,
      containerfile: join(ROOT, FOLDER, name, "Containerfile"),
      epochS,
      complete: (root) => addFiles(root, name, server),
    });
    process.stdout.write(built);
  }
}

async function addFiles(root: string, name: string, { user, folders, files = {} }: Server): Promise<void> {
  for (const [from, to] of Object.entries(files)) await cp(join(ROOT, from), join(root, to), { recursive: true });
  await mkdir(join(root, "etc"), { recursive: true });
  await appendFile(join(root, "etc/passwd"), `manara-${name}:x:${user}:${user}::/${folders[0]?.[0]}:/nonexistent\n`);
  for (const [folder, owner, mode] of folders) {
    await mkdir(join(root, folder), { recursive: true });
    await chown(join(root, folder), owner, owner);
    await chmod(join(root, folder), mode);
  }
}

await main();
