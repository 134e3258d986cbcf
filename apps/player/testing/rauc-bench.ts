import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sendSignal, startProcess } from "@kit/testing/process";
import { interface as dbusInterface, Message, type MessageBus, sessionBus } from "dbus-next";
import { createRaucUpdater } from "../src/drivers/rauc-updater.ts";
import type { UpdaterBench } from "./firmware-updater.contract.ts";
import type { BundleOptions } from "./simulated-bundle.ts";

/** Where the boot loader's script can pause: before or after it executes. */
export type HoldPoint = "before-set-state" | "before-set-primary" | "after-set-primary";

export interface Signer {
  certificate: string;
  key: string;
}

export interface RaucBench extends UpdaterBench {
  /** A second client, as a restarted service would create it. */
  createUpdater(): UpdaterBench["updater"];
  /** The file that represents slot B. */
  otherSlotPath: string;
  /** The signer that the device trusts, and one that it does not. */
  signers: Readonly<Record<"owner" | "stranger", Signer>>;
  /** The slot that the boot loader would start now. */
  nextSlot(): Promise<string>;
  /** Ends RAUC as if it had crashed. The bus starts a new one on the next call. */
  killRauc(): Promise<void>;
  hold(point: HoldPoint): Promise<{ reached(): Promise<void>; release(): Promise<void> }>;
  /** Waits for the next requested restart, and for its end. */
  restarted(): Promise<void>;
}

const run = promisify(execFile);
const clock = createClock();
const COMPATIBLE = "manara-player";
const IMAGE_BYTES = 1024 * 1024;

/** A real RAUC on a private bus, with two files as slots and a script as the boot loader. Needs root, as RAUC does. */
export async function startRaucBench({ imageBytes = IMAGE_BYTES } = {}): Promise<RaucBench> {
  const folder = await mkdtemp(join(tmpdir(), "rauc-"));
  const at = (name: string) => join(folder, name);
  const busAddress = `unix:path=${at("bus")}`;
  await Promise.all(["mnt", "boot", "services", "bundles"].map((name) => mkdir(at(name))));
  await Promise.all([
    writeFile(at("slot-a.img"), Buffer.alloc(2 * imageBytes)),
    writeFile(at("slot-b.img"), Buffer.alloc(2 * imageBytes)),
    writeFile(at("system.conf"), buildSystemConfig(folder)),
    writeFile(at("bus.conf"), buildBusConfig(folder)),
    writeFile(at("services/rauc.service"), `[D-BUS Service]\nName=de.pengutronix.rauc\nExec=${at("start-rauc")}\n`),
    writeScript(at("boot-loader"), buildBootLoader(at("boot"))),
    writeScript(at("start-rauc"), buildRaucStarter(folder, busAddress)),
    ...[
      ["primary", "A"],
      ["state-A", "good"],
      ["state-B", "good"],
      ["running", "A"],
    ].map(([name = "", value = ""]) => writeFile(at(`boot/${name}`), value)),
    writeFile(at("boot-id"), randomUUID()),
    makeKey(folder, "owner"),
    makeKey(folder, "stranger"),
  ]);
  const daemon = await startProcess({
    command: "dbus-daemon",
    args: [`--config-file=${at("bus.conf")}`, "--nofork", "--print-address=1"],
    readyWhen: /unix:path=/,
  });
  const bus = sessionBus({ busAddress });

  async function nextSlot(): Promise<string> {
    const read = (name: string) => readFile(at(`boot/${name}`), "utf8");
    const primary = await read("primary");
    if ((await read(`state-${primary}`)) === "good") return primary;
    return primary === "A" ? "B" : "A";
  }

  async function killRauc(): Promise<void> {
    const pid = await raucPid(bus);
    if (pid === undefined) return;
    sendSignal(pid, "SIGKILL");
    // A new RAUC may already have been started by a call.
    while (isAlive(pid) || (await raucPid(bus)) === pid) await clock.sleep(10);
  }

  /** Every killed RAUC may have left a mount behind. */
  async function unmountBundles(): Promise<void> {
    const unmount = () => run("umount", ["--lazy", at("mnt/bundle")]);
    while (await succeeds(unmount)) await clock.sleep(10);
  }

  async function boot(): Promise<void> {
    await killRauc();
    await unmountBundles();
    await writeFile(at("boot/running"), await nextSlot());
    await writeFile(at("boot-id"), randomUUID());
  }

  const restarts = await serveRestarts(bus, boot);
  const createUpdater = () => createRaucUpdater({ busAddress, clock, log: silentLog, bootIdPath: at("boot-id") });
  const updater = createUpdater();
  const signer = (name: string): Signer => ({ certificate: at(`${name}.cert`), key: at(`${name}.key`) });
  const signers = { owner: signer("owner"), stranger: signer("stranger") };
  let bundles = 0;

  return {
    updater,
    compatible: COMPATIBLE,
    createUpdater,
    otherSlotPath: at("slot-b.img"),
    signers,
    nextSlot,
    killRauc,
    restarted: restarts.next,

    async bundle({ version = "2.0.0", compatible = COMPATIBLE, isForged = false }: BundleOptions = {}) {
      bundles += 1;
      const content = at(`bundles/${bundles}`);
      const path = `${content}.raucb`;
      await mkdir(content);
      await writeFile(join(content, "rootfs.img"), randomBytes(imageBytes));
      await writeFile(join(content, "manifest.raucm"), buildManifest(compatible, version));
      const { certificate, key } = isForged ? signers.stranger : signers.owner;
      await run("rauc", ["bundle", `--cert=${certificate}`, `--key=${key}`, content, path]);
      await rm(content, { recursive: true });
      return path;
    },

    async restart() {
      const restarted = restarts.next();
      // It never returns on a device that restarts.
      void updater.reboot().catch(() => undefined);
      await restarted;
    },

    async hold(point) {
      await rm(at(`boot/held-${point}`), { force: true });
      await writeFile(at(`boot/hold-${point}`), "");
      return {
        async reached() {
          while (!(await succeeds(() => access(at(`boot/held-${point}`))))) await clock.sleep(10);
        },
        release: () => rm(at(`boot/hold-${point}`), { force: true }),
      };
    },

    async close() {
      await killRauc();
      bus.disconnect();
      await daemon.stop();
      await unmountBundles();
      await rm(folder, { recursive: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function raucPid(bus: MessageBus): Promise<number | undefined> {
  const call = new Message({
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
    member: "GetConnectionUnixProcessID",
    signature: "s",
    body: ["de.pengutronix.rauc"],
  });
  const answer = await bus.call(call).catch(() => null);
  return answer === null ? undefined : Number(answer.body[0]);
}

/** Represents the part of the system that restarts the device. */
async function serveRestarts(bus: MessageBus, boot: () => Promise<void>): Promise<{ next: () => Promise<void> }> {
  let waiting: (() => void)[] = [];
  class Manager extends dbusInterface.Interface {
    async Reboot(): Promise<void> {
      await boot();
      for (const wake of waiting) wake();
      waiting = [];
    }
  }
  Manager.configureMembers({ methods: { Reboot: { inSignature: "b", outSignature: "" } } });
  bus.export("/org/freedesktop/login1", new Manager("org.freedesktop.login1.Manager"));
  await bus.requestName("org.freedesktop.login1", 0);
  return { next: () => new Promise((resolve) => waiting.push(resolve)) };
}

async function makeKey(folder: string, name: string): Promise<void> {
  await run("openssl", [
    ...[
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "3650",
      "-subj",
      `/O=Test/CN=${name}`,
    ],
    ...["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.cert`)],
  ]);
}

async function writeScript(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}`);
  await chmod(path, 0o755);
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}

function buildSystemConfig(folder: string): string {
  return `[system]
compatible=${COMPATIBLE}
bootloader=custom
mountprefix=${folder}/mnt
statusfile=${folder}/rauc.status
[keyring]
path=${folder}/owner.cert
[handlers]
bootloader-custom-backend=${folder}/boot-loader
[slot.rootfs.0]
device=${folder}/slot-a.img
type=raw
bootname=A
[slot.rootfs.1]
device=${folder}/slot-b.img
type=raw
bootname=B
`;
}

function buildBusConfig(folder: string): string {
  return `<busconfig>
  <listen>unix:path=${folder}/bus</listen>
  <servicedir>${folder}/services</servicedir>
  <policy context="default"><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy>
</busconfig>`;
}

function buildManifest(compatible: string, version: string): string {
  return `[update]
compatible=${compatible}
version=${version}
[bundle]
format=plain
[image.rootfs]
filename=rootfs.img
`;
}

/** If its caller was killed while it waited, the command counts as killed, too. */
function buildBootLoader(folder: string): string {
  return `cd ${folder} || exit 1
put() { printf %s "$2" > "$1.new" && mv "$1.new" "$1"; }
wait_at() {
  [ -e "hold-$1" ] || return 0
  : > "held-$1"
  while [ -e "hold-$1" ]; do kill -0 $PPID 2>/dev/null || exit 1; sleep 0.02; done
  rm -f "held-$1"
  kill -0 $PPID 2>/dev/null || exit 1
}
wait_at "before-$1"
case "$1" in
  get-primary) cat primary ;;
  set-primary) put "state-$2" good; put primary "$2" ;;
  get-state) cat "state-$2" ;;
  set-state) put "state-$2" "$3" ;;
  *) exit 1 ;;
esac
wait_at "after-$1"
`;
}

function buildRaucStarter(folder: string, busAddress: string): string {
  return `DBUS_SYSTEM_BUS_ADDRESS=${busAddress} exec rauc service \\
  --conf=${folder}/system.conf --override-boot-slot="$(cat ${folder}/boot/running)" >> ${folder}/rauc.log 2>&1
`;
}
