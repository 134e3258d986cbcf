import { readdir, readFile } from "node:fs/promises";

/** The mpv process that the service has started. */
export async function findMpv(servicePid: number): Promise<number> {
  for (const name of await readdir("/proc")) {
    if (/^\d+$/.test(name) && (await readParent(name)) === servicePid) return Number(name);
  }
  throw new Error(`process ${servicePid} has no mpv`);
}

export async function isRunning(pid: number): Promise<boolean> {
  return (await readParent(String(pid))) !== undefined;
}

/** The parent of a running mpv; undefined for every other process. proc(5): pid (name) state parent … */
async function readParent(pid: string): Promise<number | undefined> {
  // It may have ended since it was listed.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, state, parent] = /^\d+ \(mpv\) (\w) (\d+) /.exec(stat) ?? [];
  return parent === undefined || state === "Z" ? undefined : Number(parent);
}
