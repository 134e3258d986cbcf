import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const MAX_BUFFER_BYTES = 64 * 1024 * 1024;

/** Runs a program with SOURCE_DATE_EPOCH instead of the current time. Returns its output. */
export async function runProgram(name: string, words: readonly string[], epochS: number): Promise<string> {
  const times = { SOURCE_DATE_EPOCH: String(epochS), E2FSPROGS_FAKE_TIME: String(epochS) };
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", ...times };
  return (await run(name, words, { env, maxBuffer: MAX_BUFFER_BYTES })).stdout;
}
