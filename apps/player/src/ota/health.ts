import type { Clock } from "@kit/clock";

/** One capability of a working system. It rejects when it is missing. */
export interface HealthCheck {
  name: string;
  check: () => Promise<void>;
}

const WITHIN_MS = 120_000;
const RETRY_DELAY_MS = 3000;

/** Runs all checks until they pass together. Returns why they did not, or undefined. An abort throws its reason. */
export async function proveHealth(
  checks: readonly HealthCheck[],
  clock: Pick<Clock, "sleep" | "deadline">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const deadline = clock.deadline(WITHIN_MS);
  const late = lateness(deadline);
  for (;;) {
    const failure = await firstFailure(checks, late);
    if (failure === undefined || deadline.aborted) return failure;
    await clock.sleep(RETRY_DELAY_MS, signal);
    if (deadline.aborted) return failure;
  }
}

async function firstFailure(checks: readonly HealthCheck[], late: Promise<string>): Promise<string | undefined> {
  for (const { name, check } of checks) {
    const why = await Promise.race([runCheck(check), late]);
    if (why !== undefined) return why.startsWith(`${name}: `) ? why : `${name}: ${why}`;
  }
  return undefined;
}

async function runCheck(check: HealthCheck["check"]): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function lateness(deadline: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    deadline.addEventListener("abort", () => resolve("did not answer in time"), { once: true });
  });
}
