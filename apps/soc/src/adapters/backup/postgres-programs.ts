import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Problem } from "@kit/problem";

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_MESSAGE = 2000;

/**
 * Runs a PostgreSQL client program on the database at this address. The password goes through the environment, because
 * other users of the machine can read the arguments of a process.
 */
export async function runPostgresProgram(
  program: "pg_dump" | "pg_restore",
  args: readonly string[],
  { url, environment }: { url: string; environment: Environment },
): Promise<void> {
  const { address, password } = splitPassword(url);
  const child = spawn(program, ["--no-password", `--dbname=${address}`, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...environment, ...(password !== undefined && { PGPASSWORD: password }) },
  });
  const exited = once(child, "exit").catch((cause: unknown) => {
    throw new Problem("failed", `${program}: cannot be run; install the client programs of PostgreSQL`, { cause });
  });
  const [, message] = await Promise.all([exited, text(child.stderr)]);
  if (child.exitCode !== 0) throw new Problem("failed", `${program}: ${message.trim().slice(-MAX_MESSAGE)}`);
}

function splitPassword(url: string): { address: string; password: string | undefined } {
  const parsed = new URL(url);
  const password = parsed.password === "" ? undefined : decodeURIComponent(parsed.password);
  parsed.password = "";
  return { address: parsed.href, password };
}
