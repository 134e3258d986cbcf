import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

// Linux counts CPU time in hundredths of a second.
const TICK_MICROS = 10_000;
const run = promisify(execFile);

interface Times {
  own: number;
  /** The time of ended children. */
  ended: number;
}

/** The CPU time of a process and of its children so far, in microseconds, by the name of their script. */
export async function readMicrosByScript(pid: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const each of [pid, ...(await listChildren(pid))]) {
    const command = await readFile(`/proc/${each}/cmdline`, "utf8");
    const name = /main[\w-]*\.js(?:\0worker)?/.exec(command)?.[0].replace("\0", " ") ?? "other";
    found.set(name, (await readTimes(each)).own);
  }
  return found;
}

/** The CPU time of a server and of all its processes so far, in microseconds, ended ones included; 0 without a server. */
export async function readServerMicros(pid: number | undefined): Promise<number> {
  if (pid === undefined) return 0;
  const { own, ended } = await readTimes(pid);
  const children = await Promise.all(
    (await listChildren(pid)).map((child) =>
      readTimes(child).then(
        (times) => times.own,
        // It has ended in the meantime, and counts as ended in the next reading.
        () => 0,
      ),
    ),
  );
  return children.reduce((sum, micros) => sum + micros, own + ended);
}

async function listChildren(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

async function readTimes(pid: number): Promise<Times> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the process may contain spaces; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) * TICK_MICROS, ended: (endedUser + endedSystem) * TICK_MICROS };
}

export interface SocketBytes {
  received: number;
  sent: number;
}

/** The bytes that a server has received and sent over its open connections, from the kernel's counters (iproute2). */
export async function readSocketBytes(port: number): Promise<SocketBytes> {
  const { stdout } = await run("ss", ["-tinH", "state", "established", `sport = :${port}`]);
  const sum = (name: string) =>
    [...stdout.matchAll(new RegExp(`${name}:(\\d+)`, "g"))].reduce((total, [, bytes]) => total + Number(bytes), 0);
  return { received: sum("bytes_received"), sent: sum("bytes_acked") };
}
