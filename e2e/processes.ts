import { readdir, readFile } from "node:fs/promises";

export async function findChildren(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (/^\d+$/.test(name) && (await readParent(Number(name))) === parent) found.push(Number(name));
  }
  return found;
}

/** The child of a process whose command line contains a text. */
export async function findChild(parent: number, text: string): Promise<number | undefined> {
  for (const pid of await findChildren(parent)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (commandLine.includes(text)) return pid;
  }
  return undefined;
}

export async function isRunning(pid: number): Promise<boolean> {
  return (await readParent(pid)) !== undefined;
}

/** The kernel counts processor time in hundredths of a second (proc(5), sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10;

/** The processor time of a process so far, in all its threads. proc(5): the fields 14 and 15 of stat. */
export async function readProcessorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the process may contain spaces; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The parent of a process; undefined when it has ended. proc(5): pid (name) state parent … */
async function readParent(pid: number): Promise<number | undefined> {
  // The process may have ended since it was listed.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, state, parent] = /^\d+ \(.*\) (\w) (\d+) /s.exec(stat) ?? [];
  return parent === undefined || state === "Z" ? undefined : Number(parent);
}
