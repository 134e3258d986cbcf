import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { Frame } from "./frame.ts";

/** The process, as far as a service needs it: given by main.ts, the only file that may touch it. */
export type Host = Pick<NodeJS.Process, "on" | "once" | "exit" | "stdout" | "stderr">;

export interface RunningService {
  readyLine: string;
  stop(): Promise<void>;
}

export interface RunServiceDeps {
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "error">;
}

const STOP_MS = 9000;
const GRACE_MS = 4000;
/** The exit code after an error that no code expected: EX_SOFTWARE of sysexits(3). A service manager starts it again. */
const EXIT_UNEXPECTED = 70;

/** Starts, says one line, and stops on SIGTERM or SIGINT. A refused start says why and exits non-zero. */
export async function runService(
  host: Host,
  { clock, log }: RunServiceDeps,
  start: () => Promise<RunningService>,
): Promise<void> {
  let service: RunningService | undefined;
  let isStopping = false;
  const stop = async (exitCode: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    const stopping = service?.stop().then(
      () => exitCode,
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        return 1;
      },
    );
    const giveUp = async () => {
      await clock.sleep(STOP_MS);
      log.error({ afterMs: STOP_MS }, "stopping took too long, the process ends now");
      return 1;
    };
    host.exit(await (stopping ? Promise.race([stopping, giveUp()]) : exitCode));
  };
  const onError = (error: unknown): void => {
    // A Problem is a refusal in product words: the work that it ended is over, and the rest is in order.
    if (error instanceof Problem) {
      log.error({ err: error }, "work failed, the service continues");
      return;
    }
    // After any other error the state is unknown: a clean start is better than a service that is half dead.
    log.error({ err: error }, "unexpected error, the service stops to be started again");
    void stop(EXIT_UNEXPECTED);
  };
  host.on("unhandledRejection", onError);
  host.on("uncaughtException", onError);
  service = await start().catch((error: unknown) => refuseStart(host, error));
  host.once("SIGTERM", () => void stop(0));
  host.once("SIGINT", () => void stop(0));
  host.stdout.write(`${service.readyLine}\n`);
}

/** Ends the process with the reason why it must not run. */
export function refuseStart(host: Pick<Host, "stderr" | "exit">, error: unknown): never {
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
