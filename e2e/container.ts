import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { capture } from "./deb.ts";
import { findChildren } from "./processes.ts";

const run = promisify(execFile);
const clock = createClock();
const BOOT_MS = 60_000;
const POWER_OFF_MS = 20_000;
const RUN_MS = 300_000;

export interface Outcome {
  status: number;
  output: string;
}

/** A booted Debian with systemd as its first process, and no network but loopback. */
export interface Container {
  /** The folder that is / inside the container. */
  root: string;
  /** Runs a shell script inside, as root. */
  run(script: string): Promise<Outcome>;
  /** Does the same, but fails if the script fails. */
  must(script: string): Promise<string>;
  remove(): Promise<void>;
}

/** Returns why this machine cannot boot a container; undefined if it can. */
export async function whyNoContainer(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = await capture("sh", "-c", "command -v systemd-nspawn >/dev/null || echo systemd-nspawn");
  if (missing !== "") return `${missing.trim()} is not installed`;
  const probe = await run("/usr/bin/unshare", ["--mount", "--pid", "--fork", "true"]).then(
    () => true,
    () => false,
  );
  return probe ? undefined : "this machine does not allow namespaces";
}

/**
 * Uses this machine's Debian under a layer with all changes: mpv, bus and polkit are those that CI has installed, and
 * creating it takes no time.
 */
export async function layOverThisMachine(): Promise<{ root: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "machine-"));
  await run("mount", ["-t", "tmpfs", "tmpfs", folder]);
  const [root, upper, work] = ["root", "upper", "work"].map((name) => join(folder, name));
  for (const each of [root, upper, work]) await mkdir(String(each));
  await run("mount", ["-t", "overlay", "overlay", "-o", `lowerdir=/,upperdir=${upper},workdir=${work}`, String(root)]);
  // A container image often forbids its packages to start services.
  await rm(join(String(root), "usr/sbin/policy-rc.d"), { force: true });
  return {
    root: String(root),
    async remove() {
      await run("umount", [String(root)]);
      await run("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Creates a new Debian with the given packages and the tools of the tests. Further packages are downloaded, to be
 * installed without a network.
 */
export async function bootstrap(
  packages: readonly string[],
  downloaded: readonly string[] = [],
): Promise<{ root: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "debian-"));
  const root = join(folder, "root");
  const include = `--include=${[...packages, "systemd-sysv", "udev", "procps", "iproute2"].join(",")}`;
  const download = `APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get --yes --no-install-recommends --download-only install ${downloaded.join(" ")}`;
  const offline = downloaded.length === 0 ? [] : ["--skip=cleanup/apt", `--customize-hook=${download}`];
  const args = ["--quiet", "--variant=minbase", include, ...offline, "bookworm", root];
  await run("mmdebstrap", args, { maxBuffer: 64 * 1024 * 1024 });
  return { root, remove: () => rm(folder, { recursive: true }) };
}

export async function boot({ root, remove }: { root: string; remove: () => Promise<void> }): Promise<Container> {
  const flags = ["--quiet", "--boot", "--register=no", "--keep-unit", "--private-network", "--console=pipe"];
  // systemd filters the network of a unit by a program in the kernel, and only in the unified hierarchy.
  const filters = ["--system-call-filter=bpf", "--capability=CAP_BPF"];
  const nspawn = ["systemd-nspawn", ...flags, ...filters, `--directory=${root}`, "--", "systemd.unit=basic.target"];
  const mounts = "umount --recursive /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup";
  const script = `${mounts}; SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 exec "$@"`;
  // Detached, because a background process would stop without its own terminal.
  const host = spawn("/usr/bin/unshare", ["--mount", "--propagation=private", "sh", "-c", script, "sh", ...nspawn], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [host.stdout, host.stderr]) {
    stream.on("data", (text: Buffer) => {
      said += text.toString();
    });
  }
  const ended = once(host, "exit");

  let leader: number | undefined;

  async function end(): Promise<void> {
    // Its first process outlives nspawn, and all others end with it.
    if (leader !== undefined && host.exitCode === null) sendSignal(leader, "SIGKILL");
    host.kill("SIGKILL");
    await ended;
    await remove();
  }

  try {
    leader = await findLeader(host.pid ?? 0);
    const container = createContainer(root, leader, async () => {
      await container.run("systemctl poweroff --no-block");
      await Promise.race([ended, clock.sleep(POWER_OFF_MS)]);
      await end();
    });
    await untilBooted(container);
    return container;
  } catch (cause) {
    await end();
    throw new Error(`the container does not boot: ${said}`, { cause });
  }
}

function createContainer(root: string, leader: number, remove: () => Promise<void>): Container {
  const container: Container = {
    root,
    async run(script) {
      const inside = [`--target=${leader}`, "--all", "--", "setsid", "--wait", "sh", "-c", script];
      const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" };
      const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
        execFile(
          "/usr/bin/nsenter",
          inside,
          { maxBuffer: 64 * 1024 * 1024, env, timeout: RUN_MS },
          (error, stdout, stderr) => {
            resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
          },
        );
      });
      return { status: code, output };
    },
    async must(script) {
      const { status, output } = await container.run(script);
      if (status !== 0) throw new Error(`${script}\nended with ${status}:\n${output}`);
      return output.trim();
    },
    remove,
  };
  return container;
}

/** The first process of the container. */
async function findLeader(parent: number): Promise<number> {
  const deadline = clock.deadline(BOOT_MS);
  for (;;) {
    for (const pid of await findChildren(parent)) {
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
      if (name.trim() === "systemd") return pid;
    }
    await clock.sleep(100, deadline);
  }
}

async function untilBooted(container: Container): Promise<void> {
  const deadline = clock.deadline(BOOT_MS);
  while ((await container.run("systemctl is-active basic.target")).status !== 0) await clock.sleep(200, deadline);
}
