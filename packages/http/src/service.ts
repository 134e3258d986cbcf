import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import type { Frame } from "./frame.ts";

/** The process, as far as a service needs it: given by main.ts, the only file that may touch it. */
export type Host = Pick<NodeJS.Process, "once" | "exit" | "stdout" | "stderr">;

export interface RunningService {
  readyLine: string;
  stop(): Promise<void>;
}

const STOP_MS = 9000;
const GRACE_MS = 4000;

/** Starts, says one line, and stops on SIGTERM or SIGINT. A refused start says why and exits non-zero. */
export async function runService(host: Host, clock: Clock, start: () => Promise<RunningService>): Promise<void> {
  const service = await start().catch((error: unknown) => refuseStart(host, error));
  const stop = async (): Promise<void> => {
    const stopped = await Promise.race([service.stop().then(() => true), clock.sleep(STOP_MS).then(() => false)]);
    host.exit(stopped ? 0 : 1);
  };
  host.once("SIGTERM", () => void stop());
  host.once("SIGINT", () => void stop());
  host.stdout.write(`${service.readyLine}\n`);
}

function refuseStart(host: Host, error: unknown): never {
  host.stderr.write(`${error instanceof Problem ? error.message : errorText(error)}\n`);
  return host.exit(1);
}

function errorText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const WHY_NOT = new Map<unknown, string>([
  ["EADDRINUSE", "is already in use"],
  ["EACCES", "may not be opened by this user"],
  ["EADDRNOTAVAIL", "is on an address that this machine does not have"],
  ["ENOTFOUND", "is on a host that does not exist"],
]);

/** Opens the port; a port that cannot be opened is a wrong value of the variable that names it. */
export async function listen(app: Frame, address: { host: string; port: number }, variable: string): Promise<void> {
  await app.listen(address).catch((cause: unknown) => {
    const why = cause instanceof Error && "code" in cause ? WHY_NOT.get(cause.code) : undefined;
    if (!why) throw cause;
    throw invalidField(variable, `port ${address.port} on ${address.host} ${why}`, { cause });
  });
}

const HERE: readonly string[] = ["127.0.0.1", "::1", "0.0.0.0", "::"];

/** Where a person on this machine finds the service: what the ready line shows. */
export function formatServiceAddress({ host, port, hasTls }: { host: string; port: number; hasTls: boolean }): string {
  const named = HERE.includes(host) ? "localhost" : host;
  return `${hasTls ? "https" : "http"}://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

/** Lets running requests finish; connections that are still open after the grace time are closed. */
export async function closeGracefully(app: Frame, clock: Pick<Clock, "deadline">): Promise<void> {
  const cutOff = () => app.server.closeAllConnections();
  const grace = clock.deadline(GRACE_MS);
  grace.addEventListener("abort", cutOff);
  await app.close();
  grace.removeEventListener("abort", cutOff);
}
