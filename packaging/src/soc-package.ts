import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { completeStage } from "./deb.ts";
import { SOC_HOME, stageSoc } from "./soc-files.ts";

export interface SocStageOptions {
  /** The root of the repository, which must be built. */
  root: string;
  version: string;
  epochS: number;
  /** The root folder of the package. */
  stage: string;
}

/** The places in the package of files below packaging/soc. */
const SYSTEM_FILES: Readonly<Record<string, string>> = {
  "systemd/manara-soc.service": "usr/lib/systemd/system/manara-soc.service",
  "system/default.env": "etc/default/manara-soc",
  "system/sysusers.conf": "usr/lib/sysusers.d/manara-soc.conf",
  "system/create-database": `${SOC_HOME}/bin/create-database`,
  "system/manara-soc": "usr/bin/manara-soc",
};
const SCRIPTS = ["conffiles", "postinst", "prerm", "postrm"];
const PROGRAMS = new Set([`${SOC_HOME}/bin/node`, `${SOC_HOME}/bin/create-database`, "usr/bin/manara-soc"]);

/** Makes the folder from which the package is packed: what it installs, and in DEBIAN what dpkg must know. */
export async function stageSocPackage({ root, version, epochS, stage }: SocStageOptions): Promise<void> {
  await stageSoc(root, stage, version);
  await stageSystem(root, stage);
  const scripts = await readScripts(root);
  await completeStage({ stage, control: buildControl(version), scripts, programs: PROGRAMS, epochS });
}

async function stageSystem(root: string, stage: string): Promise<void> {
  for (const [from, to] of Object.entries(SYSTEM_FILES)) await cp(join(root, "packaging/soc", from), join(stage, to));
  const documents = join(stage, "usr/share/doc/manara-soc");
  await cp(join(root, "docs/operations/install-soc.md"), join(documents, "README.md"));
  await cp(join(root, "LICENSE"), join(documents, "copyright"));
}

async function readScripts(root: string): Promise<Record<string, string>> {
  const read = (name: string) => readFile(join(root, "packaging/soc/debian", name), "utf8");
  return Object.fromEntries(await Promise.all(SCRIPTS.map(async (name) => [name, await read(name)] as const)));
}

function buildControl(version: string): Readonly<Record<string, string>> {
  const needed = ["init-system-helpers", "libc6 (>= 2.28)", "libgcc-s1", "libstdc++6", "passwd", "postgresql (>= 15)"];
  return {
    Package: "manara-soc",
    Version: version,
    Architecture: "amd64",
    Maintainer: "Manara maintainers <maintainers@manara.invalid>",
    Section: "admin",
    Priority: "optional",
    Depends: [...needed, "systemd (>= 252)", "util-linux"].join(", "),
    Recommends: "systemd-timesyncd | time-daemon",
    Suggests: "rsyslog, mosquitto, prometheus",
    Description:
      "security operations on one machine: logs, rules, cases, response\n The service, its console, its log engine, and the Node.js that runs them.",
  };
}
