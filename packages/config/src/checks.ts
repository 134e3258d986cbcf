import { Problem } from "@kit/problem";
import type { Terminal } from "./commands.ts";

/** One thing that a doctor looks at. */
export interface Examination {
  name: string;
  /** Returns what was found; a warning is no failure. Throws when it is wrong. */
  examine: () => Promise<string | { warning: string }>;
}

export interface Check {
  name: string;
  state: "ok" | "warning" | "failed";
  detail: string;
}

const LABELS = { ok: "ok     ", warning: "WARNING", failed: "FAILED " } as const;

/** One after the other, so that a check may rely on the ones before it. */
export async function runChecks(examinations: readonly Examination[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name, examine } of examinations) {
    try {
      const found = await examine();
      checks.push(
        typeof found === "string"
          ? { name, state: "ok", detail: found }
          : { name, state: "warning", detail: found.warning },
      );
    } catch (error) {
      // The message of any other error may quote a secret, such as the address of a database.
      const detail = error instanceof Problem ? error.message : describeCode(error);
      checks.push({ name, state: "failed", detail });
    }
  }
  return checks;
}

function describeCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unexpected error";
}

/** Prints the checks. Returns the exit code: 1 when one has failed. */
export function printChecks(checks: readonly Check[], isJson: boolean, { write }: Pick<Terminal, "write">): 0 | 1 {
  const isHealthy = checks.every(({ state }) => state !== "failed");
  if (isJson) write(`${JSON.stringify({ healthy: isHealthy, checks }, null, 2)}\n`);
  else for (const { name, state, detail } of checks) write(`${LABELS[state]} ${name}: ${detail}\n`);
  return isHealthy ? 0 : 1;
}
