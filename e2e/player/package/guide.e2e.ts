import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPublisher, type Publisher } from "../../apt-repository.ts";
import { boot, bootstrap, type Container, whyNoContainer } from "../../container.ts";
import { buildPackage, capture, ROOT } from "../../deb.ts";
import { findMissingOutput, type RunBlock, readRunBlocks } from "../../documents/run-blocks.ts";

// Follows docs/operations/player-device.md: an empty Debian, the repository of a release, and the commands of the page.

const clock = createClock();
const MAX_INSTALL_TO_AUDIO_S = 300;
const NEWER = "1.1.0";
/** The packages that the guide installs. They are downloaded first, because the booted machine has no network. */
const BESIDE = ["alsa-utils", "avahi-daemon", "dnsmasq-base", "network-manager", "pcscd", "systemd-timesyncd", "curl"];

const reason = await whyNoContainer();
if (reason !== undefined) console.log(`NOT RUN: the guide of the device on an empty Debian, because ${reason}`);

// Each test continues where the previous one ended.
describe.runIf(reason === undefined)("device guide on an empty, booted Debian", { timeout: 400_000 }, () => {
  let machine: Container;
  let publisher: Publisher;
  let newer: string;
  let parts: string[];

  beforeAll(async () => {
    const first = await buildPackage();
    const second = await buildPackage({ version: NEWER });
    publisher = await createPublisher("Manara");
    const nowS = Math.floor(clock.now().getTime() / 1000);
    const repository = await publisher.build([first], nowS);
    newer = await publisher.build([first, second], nowS);
    parts = (await readFile(join(ROOT, "docs/operations/player-device.md"), "utf8")).split(/^(?=## )/m);
    const depends = await capture("dpkg-deb", "--field", first, "Depends");
    const names = depends
      .trim()
      .split(", ")
      .map((each) => each.replace(/ .*/, ""));
    machine = await boot(await bootstrap([], [...names, ...BESIDE]));
    await cp(repository, join(machine.root, "srv/manara"), { recursive: true });
  }, 900_000);
  afterAll(async () => {
    await machine.remove();
    await publisher.remove();
  }, 60_000);

  /** Runs the commands below a heading. Returns what each block printed. */
  async function walk(heading: string): Promise<string[]> {
    const blocks = readRunBlocks(parts.find((part) => part.startsWith(`## ${heading}\n`)) ?? "");
    expect(blocks.length).toBeGreaterThan(0);
    const outputs: string[] = [];
    for (const block of blocks) outputs.push(await runBlock(block));
    return outputs;
  }

  async function runBlock(block: RunBlock): Promise<string> {
    const fromMs = clock.monotonicMs();
    const output = await machine.must(`cd /root && set -e\n${block.text}`);
    console.log(`${((clock.monotonicMs() - fromMs) / 1000).toFixed(1)} s: ${block.text.split("\n")[0]}`);
    expect(findMissingOutput([block], `=== block 1\n${output}`)).toEqual([]);
    return output;
  }

  it("leads from nothing to the first audio within five minutes", async () => {
    const fromMs = clock.monotonicMs();
    await walk("From an empty Debian to the first audio");
    const seconds = (clock.monotonicMs() - fromMs) / 1000;
    console.log(`from an empty Debian to the first audio: ${seconds.toFixed(1)} s, without the download`);
    expect(seconds).toBeLessThan(MAX_INSTALL_TO_AUDIO_S);
  });

  it("creates a new token and a backup that it can restore", async () => {
    const former = await machine.must("cat /root/token");
    await walk("Replace the token");
    expect(await machine.must("cat /root/token")).toMatch(/^[0-9a-f]{64}$/);
    expect(await machine.must("cat /root/token")).not.toBe(former);
    await walk("Back up and restore");
  });

  it("upgrades by apt to the new version in the repository and keeps the token", async () => {
    expect(await machine.must("manara-player --version")).toBe("manara-player 1.0.0");
    await rm(join(machine.root, "srv/manara"), { recursive: true });
    await cp(newer, join(machine.root, "srv/manara"), { recursive: true });
    const outputs = await walk("Upgrade");
    expect(outputs.join("\n")).toContain(`\nmanara-player ${NEWER}`);
  });

  it("removes the package and its files", async () => {
    await walk("Remove");
    await machine.must("rm -rf /srv/manara /root/*");
    // Without a network, apt keeps the lists of the repository that the page has removed.
    const others = ["/run/credentials/*", "/var/lib/apt/lists/*"].map((path) => `-not -path '${path}'`);
    const left = await machine.must(`find /etc /usr /var /run /root /srv -xdev -name '*manara*' ${others.join(" ")}`);
    expect(left).toBe("");
  });
});
