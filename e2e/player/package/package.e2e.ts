import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isFull } from "../../counts.ts";
import { buildPackage, capture, unpack } from "../../deb.ts";
import { createPlayerClient } from "../client.ts";

const MAX_MEGABYTES = 45;
/** systemd-analyze counts in tenths: 2.0. */
const MAX_EXPOSURE = 20;
const HOME = "usr/lib/manara-player";
const UNITS = "usr/lib/systemd/system";

let file: string;
let root: string;

beforeAll(async () => {
  file = await buildPackage({ isSmall: isFull });
  root = await unpack(file);
}, 300_000);
afterAll(() => rm(root, { recursive: true }));

describe("player package", () => {
  it("is identical, byte for byte, when built again", async () => {
    const again = await buildPackage({ isSmall: isFull });
    expect(again).not.toBe(file);
    expect((await readFile(again)).equals(await readFile(file))).toBe(true);
  });

  it.runIf(isFull)("has at most 45 MB for either processor", async () => {
    const other = await buildPackage({ architecture: "arm64", isSmall: true });
    for (const each of [file, other]) {
      const megabytes = (await stat(each)).size / 1e6;
      console.log(`${each.split("/").at(-1)}: ${megabytes.toFixed(1)} MB`);
      expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES);
    }
  });

  it("belongs to root, with no set-uid program and no file that others may write", async () => {
    const lines = (await capture("dpkg-deb", "--contents", file)).trim().split("\n");
    expect(lines.length).toBeGreaterThan(50);
    const strange = lines.filter((line) => !/^[d-]rw[x-]r-[x-]r-[x-] root\/root /.test(line));
    expect(strange).toEqual([]);
  });

  it("has checksums of its files, valid shell scripts, and no path of the build machine", async () => {
    const control = join(root, "..", `${root.split("/").at(-1)}-control`);
    onTestFinished(() => rm(control, { recursive: true }));
    await capture("dpkg-deb", "--control", file, control);
    expect((await readdir(control)).toSorted()).toEqual([
      "conffiles",
      "control",
      "md5sums",
      "postinst",
      "postrm",
      "prerm",
    ]);
    const scripts = ["postinst", "prerm", "postrm"].map((name) => join(control, name));
    const programs = ["usr/bin/manara-player", `${HOME}/bin/run-mpv`, `${HOME}/bin/preset-mixer`].map((name) =>
      join(root, name),
    );
    for (const script of [...scripts, ...programs]) expect(await capture("sh", "-n", script)).toBe("");
    expect(await capture("sh", "-c", `cd '${root}' && md5sum --check --quiet '${control}/md5sums'`)).toBe("");
    const found = await capture("sh", "-c", `grep -rlF -e '${process.cwd()}' '${root}' || true`);
    expect(found).toBe("");
  });

  it("names every unit, user and socket consistently", async () => {
    const unit = await readFile(join(root, UNITS, "manara-player.service"), "utf8");
    const socket = await readFile(join(root, UNITS, "manara-player-audio.socket"), "utf8");
    const users = await readFile(join(root, "usr/lib/sysusers.d/manara-player.conf"), "utf8");
    const [, path] = /^ListenStream=(.+)$/m.exec(socket) ?? [];
    expect(unit).toContain(`PLAYER_AUDIO_SOCKET=${path} `);
    for (const user of ["manara-player", "manara-player-audio"]) expect(users).toContain(`\nu ${user} - `);
  });

  it("has units that systemd accepts with an exposure of at most 2.0", async () => {
    const units = [
      "manara-player.service",
      "manara-player-audio.socket",
      "manara-player-audio@.service",
      "media-manara.mount",
    ];
    // systemd's own targets, which these units name.
    await capture(
      "sh",
      "-c",
      `cp /usr/lib/systemd/system/*.target /usr/lib/systemd/system/*.slice '${join(root, UNITS)}'`,
    );
    for (const unit of units)
      expect(await capture("systemd-analyze", "verify", "--man=no", `--root=${root}`, unit)).toBe("");
    for (const unit of units.filter((name) => name.endsWith(".service"))) {
      const args = ["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, "--no-pager", join(root, UNITS, unit)];
      const [line] = (await capture("systemd-analyze", ...args)).split("\n").filter((each) => each.includes("Overall"));
      console.log(`${unit}: ${line?.trim()}`);
    }
  });
});

describe("packaged player service", () => {
  /** As the unit starts it, but on this machine, with simulated hardware. */
  async function start(drivers: "simulated" | "linux" = "simulated") {
    const port = await freePort();
    const dataFolder = await mkdtemp(join(tmpdir(), "player-"));
    const service = await startProcess({
      command: join(root, HOME, "bin/node"),
      args: [join(root, HOME, "player/bundle/main.js")],
      env: {
        PLAYER_PORT: String(port),
        PLAYER_DATA_DIR: dataFolder,
        PLAYER_DRIVERS: drivers,
        PLAYER_AUDIO_OUTPUT: "null",
      },
      readyWhen: / is ready at /,
    });
    const client = await createPlayerClient({ url: `https://localhost:${port}`, dataFolder });
    onTestFinished(async () => {
      client.close();
      await service.stop();
    });
    return { dataFolder, client };
  }

  it("runs on the Node of the package with its dashboard, screen and database", async () => {
    const { client } = await start();
    const system = await client.get("/api/system");
    expect(system.body).toMatchObject({ version: "1.0.0", boot_failures: [] });
    expect((await client.get("/")).text).toContain("<title>");
    await client.post("/api/settings", { device_name: "Packed" });
    expect((await client.get("/api/settings")).body.device_name).toBe("Packed");
    const screenshot = await client.ask({
      method: "GET",
      path: "/api/debug/screenshot",
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect([screenshot.status, screenshot.headers["content-type"]]).toEqual([200, "image/bmp"]);
  });

  it("loads the drivers of real hardware and names every part that this machine lacks", async () => {
    const { client } = await start("linux");
    const failures = async () =>
      (await client.get("/api/system")).body.boot_failures as { component: string; error: string }[];
    await expect
      .poll(async () => (await failures()).map(({ component }) => component), { timeout: 20_000 })
      .toContain("wifi");
    expect((await failures()).filter(({ error }) => /function|undefined|import|module/i.test(error))).toEqual([]);
  });

  it("has a command that prints its token", async () => {
    const { dataFolder, client } = await start();
    const command = [join(root, HOME, "bin/node"), join(root, HOME, "player/bundle/main-command.js"), "token"];
    expect((await capture("env", `PLAYER_DATA_DIR=${dataFolder}`, ...command)).trim()).toBe(client.token);
  });
});
