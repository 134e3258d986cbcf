import { readFile } from "node:fs/promises";

/** The kernel counts in hundredths of a second (proc(5), sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10;
/** The fields utime and stime, counted after the program name, which may contain any character. */
const [USER, SYSTEM] = [11, 12];

/** Returns the processor time that a process has used; undefined if it has ended, or on a system without /proc. */
export async function readProcessorMs(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
}
