import type { SystemBody } from "@player/service/contract/system";

/** What came back: the reading, or nothing, with the player's own words when it gave any. */
export type SystemAnswer = { isHere: true; system: SystemBody } | { isHere: false; error: string | undefined };

export interface SystemClientDeps {
  fetch: (path: string, options: RequestInit) => Promise<Response>;
  deadline: (timeoutMs: number) => AbortSignal;
}

const TIMEOUT_MS = 8000;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Not every 200 is the player's: a hotspot's sign-in page or another device may answer at its address. */
function isSystemBody(body: unknown): body is SystemBody {
  return (
    isRecord(body) &&
    typeof body.version === "string" &&
    typeof body.uptime === "number" &&
    typeof body.free_heap === "number" &&
    isRecord(body.nvs) &&
    Array.isArray(body.boot_failures) &&
    Array.isArray(body.warnings)
  );
}

export function createSystemClient({ fetch, deadline }: SystemClientDeps) {
  return async function readSystem(): Promise<SystemAnswer> {
    try {
      const response = await fetch("/api/system", { cache: "no-store", signal: deadline(TIMEOUT_MS) });
      const body: unknown = await response.json();
      if (response.ok) return isSystemBody(body) ? { isHere: true, system: body } : { isHere: false, error: undefined };
      const error = isRecord(body) ? body.error : undefined;
      return { isHere: false, error: typeof error === "string" ? error : undefined };
    } catch {
      // No route, no answer in time, or no JSON: to the reader of the page the player is away.
      return { isHere: false, error: undefined };
    }
  };
}
