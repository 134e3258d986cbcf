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

/** The parent of a process; undefined when it has ended. proc(5): pid (name) state parent … */
async function readParent(pid: number): Promise<number | undefined> {
  // The process may have ended since it was listed.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, state, parent] = /^\d+ \(.*\) (\w) (\d+) /s.exec(stat) ?? [];
  return parent === undefined || state === "Z" ? undefined : Number(parent);
}
