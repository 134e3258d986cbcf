import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoopbackPlayer } from "@player/service/testing/loopback-player";
import { type RaucBench, type Signer, startRaucBench } from "@player/service/testing/rauc-bench";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { capture } from "../../deb.ts";
import { createPlayerClient } from "../client.ts";
import { askBytes } from "../simulator.ts";
import { makeSmallRoot, runRecipe } from "./device-root.ts";

// A small file system instead of a device's. It is installed from a plain bundle: a verity bundle needs device mapper, which containers lack.

const SLOT_MIB = 8;

let work: string;
let slot: string;
let bench: RaucBench;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "bundle-"));
  const root = await makeSmallRoot();
  // Zeros would be compressed to less than the least that RAUC takes.
  await writeFile(join(root, "noise"), randomBytes(1024 * 1024));
  slot = join(work, "slot.ext4");
  await capture("mke2fs", "-q", "-t", "ext4", "-d", root, slot, `${SLOT_MIB}M`);
  await rm(root, { recursive: true });
  bench = await startRaucBench({ imageBytes: SLOT_MIB * 1024 * 1024 });
}, 60_000);
afterAll(async () => {
  await bench.close();
  await rm(work, { recursive: true });
});

const nameSigner = ({ certificate, key }: Signer) => [
  `--certificate=${certificate}`,
  `--key=${key}`,
  `--keyring=${certificate}`,
];

async function makeBundle(signer: Signer, ...words: string[]): Promise<string> {
  const folder = await mkdtemp(join(work, "made-"));
  const [file = ""] = await runRecipe("player-bundle", [
    `--slot=${slot}`,
    `--folder=${folder}`,
    ...nameSigner(signer),
    ...words,
  ]);
  return file;
}

const readInfo = (file: string, { certificate }: Signer) => capture("rauc", `--keyring=${certificate}`, "info", file);

describe("device bundle", () => {
  it("is a verity bundle for one kind of device with the version of its package", async () => {
    const file = await makeBundle(bench.signers.owner);
    expect(file).toMatch(/\/manara-player-raspberry-pi_2\.3\.4\.raucb$/);
    const info = await readInfo(file, bench.signers.owner);
    expect(info).toContain("Compatible: \t'manara-player-raspberry-pi'");
    expect(info).toContain("Version:    \t'2.3.4'");
    expect(info).toContain("Bundle Format: \tverity");
    expect(info).toMatch(/rootfs\.ext4/);
  });

  it("is refused by a device with another key", async () => {
    const file = await makeBundle(bench.signers.owner);
    await expect(readInfo(file, bench.signers.stranger)).rejects.toThrow(/signature verification failed|Verify error/);
  });

  it("is not built with a key whose certificate the device would refuse", async () => {
    const { owner, stranger } = bench.signers;
    const words = [`--slot=${slot}`, `--folder=${work}`, ...nameSigner(owner), `--keyring=${stranger.certificate}`];
    await expect(runRecipe("player-bundle", words)).rejects.toThrow(/[Vv]erif/);
  });

  it.each([
    ["words that are missing", [], "--slot, --certificate, --key and --keyring: required"],
    [
      "a format that is none",
      ["--slot=a", "--certificate=b", "--key=c", "--keyring=d", "--format=zip"],
      "--format: 'zip'",
    ],
  ])("is refused for %s", async (_what, words, message) => {
    await expect(runRecipe("player-bundle", words)).rejects.toThrow(message);
  });

  it("is not built from a file system without a player", async () => {
    const empty = join(work, "empty.ext4");
    await capture("mke2fs", "-q", "-t", "ext4", empty, "1M");
    const words = [`--slot=${empty}`, `--folder=${work}`, ...nameSigner(bench.signers.owner)];
    await expect(runRecipe("player-bundle", words)).rejects.toThrow("empty.ext4 has no player");
  });

  it("is uploaded to a running player, which installs it into the other slot and restarts", async () => {
    const player = await startLoopbackPlayer({ parts: { updater: bench.createUpdater() } });
    const client = await createPlayerClient(player);
    onTestFinished(async () => {
      client.close();
      await player.close();
    });
    const upload = async (file: string) => {
      const body = await readFile(file);
      const asked = { method: "POST", path: "/api/ota/upload", token: client.token, body };
      const { status, bytes } = await askBytes(player, asked);
      return { status, body: JSON.parse(bytes.toString("utf8")) };
    };
    const words = ["--compatible=manara-player", "--format=plain"];
    const forged = await makeBundle(bench.signers.stranger, ...words);
    expect(await upload(forged)).toEqual({ status: 400, body: { error: "body: is no bundle with a valid signature" } });
    const foreign = await makeBundle(bench.signers.owner, "--format=plain");
    expect((await upload(foreign)).body.error).toBe(
      "body: is made for 'manara-player-raspberry-pi', not for this device",
    );

    const restarted = bench.restarted();
    const answered = await upload(await makeBundle(bench.signers.owner, ...words));
    expect([answered.status, answered.body]).toMatchObject([200, { success: true }]);
    await restarted;
    expect((await bench.updater.running()).slot).toBe("rootfs.1");
    const written = join(work, "written.ext4");
    await writeFile(written, (await readFile(bench.otherSlotPath)).subarray(0, (await stat(slot)).size));
    expect((await readFile(written)).equals(await readFile(slot))).toBe(true);
  });
});
