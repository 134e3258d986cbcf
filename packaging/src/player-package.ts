import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Architecture } from "./architecture.ts";
import { completeStage, packDeb } from "./deb.ts";
import { buildMpvLauncher } from "./mpv-launcher.ts";
import { fetchPackage, findLocked } from "./npm-package.ts";

export interface PlayerPackageOptions {
  /** The root of the repository, which must be built. */
  root: string;
  architecture: Architecture;
  version: string;
  epochS: number;
  compression: readonly string[];
  /** The folder for the finished package. */
  folder: string;
}

const HOME = "usr/lib/manara-player";
const UNITS = [
  "manara-player.service",
  "manara-player-audio.socket",
  "manara-player-audio@.service",
  "media-manara.mount",
];
/** The places in the package of files below packaging/player/system. */
const SYSTEM_FILES: Readonly<Record<string, string>> = {
  "default.env": "etc/default/manara-player",
  "sysusers.conf": "usr/lib/sysusers.d/manara-player.conf",
  "polkit.rules": "usr/share/polkit-1/rules.d/50-manara-player.rules",
  "dbus.conf": "usr/share/dbus-1/system.d/manara-player.conf",
  "dnsmasq.conf": "etc/NetworkManager/dnsmasq-shared.d/manara-player.conf",
  "udev.rules": "usr/lib/udev/rules.d/60-manara-player.rules",
  "preset-mixer": `${HOME}/bin/preset-mixer`,
  "manara-player": "usr/bin/manara-player",
};
const SCRIPTS = ["conffiles", "postinst", "prerm", "postrm"];
const PROGRAMS = new Set([
  `${HOME}/bin/node`,
  `${HOME}/bin/preset-mixer`,
  `${HOME}/bin/run-mpv`,
  "usr/bin/manara-player",
]);

/** Builds manara-player_<version>_<architecture>.deb and returns its path. */
export async function buildPlayerPackage(options: PlayerPackageOptions): Promise<string> {
  const { root, architecture, version, epochS, compression, folder } = options;
  const stage = await mkdtemp(join(tmpdir(), "manara-player-"));
  try {
    await stageService(root, join(stage, HOME), architecture, version);
    await stageSystem(root, stage);
    const file = join(folder, `manara-player_${version}_${architecture.name}.deb`);
    const sources = join(root, "packaging/player/debian");
    const scripts = await Promise.all(
      SCRIPTS.map(async (name) => [name, await readFile(join(sources, name), "utf8")] as const),
    );
    const control = buildControl(architecture, version);
    const contents = { control, scripts: Object.fromEntries(scripts), programs: PROGRAMS };
    await completeStage({ stage, ...contents, epochS });
    await packDeb({ stage, compression, epochS, file });
    return file;
  } finally {
    await rm(stage, { recursive: true });
  }
}

/** Places as in the repository, because main.ts finds its folders from its own place. */
async function stageService(root: string, home: string, { build, node }: Architecture, version: string): Promise<void> {
  const cache = join(root, "node_modules/.cache/packaging");
  const manifest = { name: "manara-player", version, type: "module" };
  await write(join(home, "player/package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(root, "apps/player/bundle"), join(home, "player/bundle"), { recursive: true });
  await cp(join(root, "apps/player/assets"), join(home, "player/assets"), { recursive: true });
  await cp(join(root, "apps/player-dashboard/dist"), join(home, "player-dashboard/dist"), { recursive: true });
  await stageAddons(root, join(home, "node_modules"), build, cache);
  const nodeFolder = await fetchPackage(cache, node);
  await write(join(home, "bin/run-mpv"), buildMpvLauncher());
  await cp(join(nodeFolder, "bin/node"), join(home, "bin/node"));
  await cp(join(nodeFolder, "LICENSE"), join(home, "bin/node.LICENSE"));
}

async function stageAddons(root: string, modules: string, build: string, cache: string): Promise<void> {
  const installed = (name: string, file: string) => ({
    from: join(root, "node_modules", name, file),
    to: join(modules, name, file),
  });
  const sqlite = "@photostructure/sqlite";
  const canvas = "@napi-rs/canvas";
  const binding = await findLocked(root, `${canvas}-linux-${build}-gnu`);
  const files = [
    ...[
      "package.json",
      "LICENSE",
      "dist/index.mjs",
      `prebuilds/linux-${build}/${sqlite.replace("/", "+")}.glibc.node`,
    ].map((file) => installed(sqlite, file)),
    ...["package.json", "LICENSE", "index.js", "node-gyp-build.js"].map((file) => installed("node-gyp-build", file)),
    ...["package.json", "LICENSE", "index.js", "geometry.js", "js-binding.js", "load-image.js"].map((file) =>
      installed(canvas, file),
    ),
  ];
  const bindingFolder = await fetchPackage(cache, binding);
  for (const file of ["package.json", `skia.linux-${build}-gnu.node`]) {
    files.push({ from: join(bindingFolder, file), to: join(modules, binding.name, file) });
  }
  for (const { from, to } of files) await cp(from, to);
}

async function stageSystem(root: string, stage: string): Promise<void> {
  const sources = join(root, "packaging/player");
  for (const unit of UNITS) await cp(join(sources, "systemd", unit), join(stage, "usr/lib/systemd/system", unit));
  for (const [name, place] of Object.entries(SYSTEM_FILES)) await cp(join(sources, "system", name), join(stage, place));
  const documents = join(stage, "usr/share/doc/manara-player");
  await cp(join(root, "docs/operations/player-device.md"), join(documents, "README.md"));
  await cp(join(root, "LICENSE"), join(documents, "copyright"));
  await mkdir(join(stage, "media/manara"), { recursive: true });
}

function buildControl({ name, depends }: Architecture, version: string): Readonly<Record<string, string>> {
  const needed = ["dbus", "init-system-helpers", "libc6 (>= 2.28)", "libgcc-s1", "libstdc++6", "mpv", "passwd"];
  const system = ["polkitd (>= 121)", "systemd (>= 252)", "util-linux"];
  return {
    Package: "manara-player",
    Version: version,
    Architecture: name,
    Maintainer: "Manara maintainers <maintainers@manara.invalid>",
    Section: "sound",
    Priority: "optional",
    Depends: [...needed, ...system, ...depends].join(", "),
    Recommends: "alsa-utils, avahi-daemon, dnsmasq-base, network-manager, pcscd, systemd-timesyncd | time-daemon",
    Suggests: "rauc-service, upower",
    Description:
      "audio appliance for the Qur'an: recitation, adhan, radio and cards\n The service, its dashboard, and the Node.js that runs both.",
  };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
