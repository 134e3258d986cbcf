import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";

const run = promisify(execFile);
const clock = createClock();
const START_MS = 20_000;

export interface SwtpmServer {
  /** Runs one of the tpm2-tools in the folder of the TPM, and frees what it has loaded. Rejects if the tool fails. */
  tool(name: string, ...args: readonly string[]): Promise<string>;
  read(file: string): Promise<Buffer>;
  write(file: string, content: Uint8Array): Promise<void>;
  /** Restarts as after a power cycle of its machine. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Debian's swtpm: a software TPM 2.0 with its own state. */
export async function startSwtpm(): Promise<SwtpmServer> {
  const folder = await mkdtemp(join(tmpdir(), "swtpm-"));
  let [port, running]: [number, StartedProcess | undefined] = [0, undefined];

  async function start(): Promise<void> {
    const deadline = clock.deadline(START_MS);
    for (;;) {
      port = await freePort();
      const server = ["--server", `type=tcp,port=${port}`, "--ctrl", `type=tcp,port=${port + 1}`];
      const args = ["socket", "--tpm2", "--tpmstate", `dir=${folder}`, ...server];
      running = await startProcess({
        command: "swtpm",
        args: [...args, "--flags", "not-need-init,startup-clear"],
        readyWhen: /^/,
      });
      // It prints nothing, and exits if the second port is in use.
      for (let attempt = 0; attempt < 50; attempt += 1) {
        if (await canConnect(port + 1)) return;
        await clock.sleep(20);
      }
      await running.stop("SIGKILL");
      deadline.throwIfAborted();
    }
  }

  async function tool(name: string, ...args: readonly string[]): Promise<string> {
    const env = { ...process.env, TPM2TOOLS_TCTI: `swtpm:host=127.0.0.1,port=${port}` };
    const { stdout } = await run(`tpm2_${name}`, args, { cwd: folder, env });
    // Without a resource manager, three loaded objects fill a TPM.
    await run("tpm2_flushcontext", ["-t"], { cwd: folder, env });
    return stdout;
  }

  await start();
  return {
    tool,
    read: (file) => readFile(join(folder, file)),
    write: (file, content) => writeFile(join(folder, file), content),
    async restart() {
      await tool("shutdown", "-c");
      await running?.stop();
      await start();
    },
    async close() {
      await running?.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
