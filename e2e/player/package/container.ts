import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { findChildren } from "../../processes.ts";
import { capture } from "./build.ts";

const run = promisify(execFile);
const clock = createClock();
const BOOT_MS = 60_000;

export interface Outcome {
  status: number;
  output: string;
}

/** A booted Debian with systemd as its first process, and no network but loopback. */
export interface Container {
  /** The folder that is / inside. */
  root: string;
  /** Runs a shell script inside, as root. */
  run(script: string): Promise<Outcome>;
  /** The same, but fails when the script fails. */
  must(script: string): Promise<string>;
  remove(): Promise<void>;
}

/** Why this machine cannot boot a container; undefined when it can. */
export async function whyNoContainer(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = await capture("sh", "-c", "command -v systemd-nspawn >/dev/null || echo systemd-nspawn");
  if (missing !== "") return `${missing.trim()} is not installed`;
  const probe = await run("unshare", ["--mount", "--pid", "--fork", "true"]).then(
    () => true,
    () => false,
  );
  return probe ? undefined : "this machine does not allow namespaces";
}

/**
 * This machine's own Debian under a layer that holds all changes: its mpv, bus and polkit are those that CI has
 * installed, and it takes no time to make.
 */
export async function layOverThisMachine(): Promise<{ root: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "machine-"));
  await run("mount", ["-t", "tmpfs", "tmpfs", folder]);
  const [root, upper, work] = ["root", "upper", "work"].map((name) => join(folder, name));
  for (const each of [root, upper, work]) await mkdir(String(each));
  await run("mount", ["-t", "overlay", "overlay", "-o", `lowerdir=/,upperdir=${upper},workdir=${work}`, String(root)]);
  return {
    root: String(root),
    async remove() {
      await run("umount", [String(root)]);
      await run("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/** A new Debian that has the dependencies of the package, and only the tools of this test beside them. */
export async function bootstrap(packages: readonly string[]): Promise<{ root: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "debian-"));
  const root = join(folder, "root");
  const include = `--include=${[...packages, "systemd-sysv", "udev", "procps", "iproute2"].join(",")}`;
  await run("mmdebstrap", ["--quiet", "--variant=minbase", include, "bookworm", root], { maxBuffer: 64 * 1024 * 1024 });
  return { root, remove: () => rm(folder, { recursive: true }) };
}

export async function boot({ root, remove }: { root: string; remove: () => Promise<void> }): Promise<Container> {
  const flags = ["--quiet", "--boot", "--register=no", "--keep-unit", "--private-network", "--console=pipe"];
  const nspawn = spawn("systemd-nspawn", [...flags, `--directory=${root}`, "--", "systemd.unit=basic.target"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [nspawn.stdout, nspawn.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(nspawn, "exit");
  const leader = await findLeader(nspawn.pid ?? 0, () => said);

  const container: Container = {
    root,
    async run(script) {
      const inside = ["--target", String(leader), "--all", "--", "sh", "-c", script];
      const options = {
        maxBuffer: 64 * 1024 * 1024,
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" },
      };
      return run("nsenter", inside, options).then(
        ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
        ({ code, stdout, stderr }) => ({ status: Number(code ?? 1), output: `${stdout}${stderr}` }),
      );
    },
    async must(script) {
      const { status, output } = await container.run(script);
      if (status !== 0) throw new Error(`${script}\nended with ${status}:\n${output}`);
      return output.trim();
    },
    async remove() {
      await container.run("systemctl poweroff --no-block");
      await Promise.race([ended, clock.sleep(20_000)]);
      nspawn.kill("SIGKILL");
      await ended;
      await remove();
    },
  };
  await untilBooted(container, () => said);
  return container;
}

/** The first process of the container. */
async function findLeader(parent: number, said: () => string): Promise<number> {
  const deadline = clock.deadline(BOOT_MS);
  for (;;) {
    for (const pid of await findChildren(parent)) {
      const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
      if (name.trim() === "systemd") return pid;
    }
    if (deadline.aborted) throw new Error(`no container: ${said()}`);
    await clock.sleep(100);
  }
}

async function untilBooted({ run: inside }: Container, said: () => string): Promise<void> {
  const deadline = clock.deadline(BOOT_MS);
  while ((await inside("systemctl is-active basic.target")).status !== 0) {
    if (deadline.aborted) throw new Error(`it does not boot: ${said()}`);
    await clock.sleep(200);
  }
}
