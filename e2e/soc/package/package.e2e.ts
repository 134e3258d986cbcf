import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../../counts.ts";
import { buildPackage, capture, stageSoc } from "../../deb.ts";

const MAX_MEGABYTES = 190;
/** systemd-analyze counts in tenths: 2.0. */
const MAX_EXPOSURE = 20;
const HOME = "usr/lib/manara-soc";
const UNIT = "usr/lib/systemd/system/manara-soc.service";

/** The folder from which the package is packed: dpkg-deb alone needs more time than a build has for all of this. */
let stage: string;

beforeAll(async () => {
  stage = await stageSoc();
}, 120_000);
afterAll(() => rm(stage, { recursive: true }));

describe("staged folder of the SOC package", () => {
  it("has the control data of a package that contains Node and needs PostgreSQL", async () => {
    const control = await readFile(join(stage, "DEBIAN/control"), "utf8");
    expect(control).toMatch(/^Package: manara-soc\nVersion: 1\.0\.0\nArchitecture: amd64\n/);
    const [, depends = ""] = /^Depends: (.+)$/m.exec(control) ?? [];
    expect(depends).toContain("postgresql (>= 15)");
    expect(depends).not.toContain("nodejs");
    expect((await readdir(join(stage, "DEBIAN"))).toSorted()).toEqual([
      ...["conffiles", "control", "md5sums", "postinst", "postrm", "prerm"],
    ]);
  });

  it("has the processes, the console, the tables and the native packages, and nothing of the build machine", async () => {
    const present = [
      ...["main", "main-log-engine", "main-yaml", "main-command", "main-migrate"].map(
        (name) => `soc/bundle/${name}.js`,
      ),
      ...["bin/node", "soc-console/dist/index.html", "soc/src/migrations/0001-users.sql", "soc/playbooks"],
      ...["node_modules/@chdb/lib-linux-x64-gnu/libchdb.so", "node_modules/chdb/index.mjs"],
    ];
    for (const path of present) await stat(join(stage, HOME, path));
    const paths = (await readdir(stage, { recursive: true })).toSorted();
    expect(paths.filter((path) => /\.(d\.ts|map)$|testing|\.tsbuildinfo$/.test(path))).toEqual([]);
    expect(await capture("find", stage, "(", "-perm", "/6022", "-o", "-type", "l", ")")).toBe("");
    const folders = ["soc", "soc-console", "bin/create-database"].map((name) => join(stage, HOME, name));
    expect(await capture("sh", "-c", `grep -rlF -e '${process.cwd()}' ${folders.join(" ")} || true`)).toBe("");
  });

  it("has valid shell scripts and a unit that systemd accepts with an exposure of at most 2.0", async () => {
    const scripts = [
      "DEBIAN/postinst",
      "DEBIAN/prerm",
      "DEBIAN/postrm",
      "usr/bin/manara-soc",
      `${HOME}/bin/create-database`,
    ];
    for (const script of scripts) expect(await capture("sh", "-n", join(stage, script))).toBe("");
    const args = ["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, "--no-pager", join(stage, UNIT)];
    const [line] = (await capture("systemd-analyze", ...args)).split("\n").filter((each) => each.includes("Overall"));
    console.log(`manara-soc.service: ${line?.trim()}`);
  });

  it("repeats the defaults of the unit in the command line tool", async () => {
    const unit = await readFile(join(stage, UNIT), "utf8");
    const command = await readFile(join(stage, "usr/bin/manara-soc"), "utf8");
    const [, defaults = ""] = /^Environment=(.+)$/m.exec(unit) ?? [];
    expect(defaults).toContain("SOC_MODE=real");
    expect(command).toContain(`export ${defaults}\n`);
    for (const [, file = ""] of unit.matchAll(/^EnvironmentFile=-(.+)$/gm)) expect(command).toContain(file);
  });

  it("serves its console on the Node of the package and loads every package that is not bundled", async () => {
    const node = join(stage, HOME, "bin/node");
    const port = await freePort();
    const dataFolder = await mkdtemp(join(tmpdir(), "soc-"));
    const service = await startProcess({
      command: node,
      args: [join(stage, HOME, "soc/bundle/main.js")],
      env: { SOC_PORT: String(port), SOC_DATA_DIR: dataFolder },
      readyWhen: / is ready at /,
      withinMs: 90_000,
    });
    expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain("<title>");
    await service.stop();
    await rm(dataFolder, { recursive: true, force: true });
    // Imports them as the bundle does, from the folder next to it.
    const script = `const { Session } = await import("chdb"); await import("pdfmake");
const argon2 = await import("@node-rs/argon2");
console.log(typeof Session, (await argon2.hash("password")).slice(0, 9));
process.exit();`;
    const file = join(stage, HOME, "soc/bundle");
    expect(await capture("sh", "-c", `cd '${file}' && '${node}' --input-type=module -e '${script}'`)).toBe(
      "function $argon2id\n",
    );
  });
});

it.runIf(isFull)(
  "is identical, byte for byte, when built again, and has at most 190 MB",
  async () => {
    const [first, second] = [
      await buildPackage({ product: "soc", isSmall: true }),
      await buildPackage({ product: "soc", isSmall: true }),
    ];
    expect(first).not.toBe(second);
    await capture("cmp", first, second);
    const megabytes = (await stat(first)).size / 1e6;
    console.log(`${first.split("/").at(-1)}: ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES);
  },
  600_000,
);
