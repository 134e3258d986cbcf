import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { type Caller, isCallerAllowed } from "../../foundation/caller/caller.ts";
import type { Permission } from "../../foundation/caller/permissions.ts";

/** The access to a part of a page, equal to that of its own route. */
export interface PartAccess {
  needs: readonly Permission[];
  /** Whether its own route accepts API keys. */
  byKey: boolean;
  /** Whether its own route accepts callers of some sites. */
  bySite?: boolean;
}

/** A slower part of a page is omitted. */
const PART_MS = 300;

/** Reads the parts of one page for one caller within a common time limit. */
export function createPartReader(caller: Caller, clock: Pick<Clock, "deadline">, timeoutMs = PART_MS) {
  const signal = clock.deadline(timeoutMs);
  const partial: string[] = [];
  const late = new Promise<typeof LATE>((resolve) => {
    signal.addEventListener("abort", () => resolve(LATE), { once: true });
  });

  async function tryRead<Part>(name: string, read: (signal: AbortSignal) => Promise<Part>): Promise<Part | null> {
    try {
      const work = read(signal);
      // Work after the time limit ends unobserved.
      work.catch(() => undefined);
      const found = await Promise.race([work, late]);
      if (found !== LATE) return found;
    } catch (error) {
      if (error instanceof Problem && error.kind === "not_found") return null;
      if (!(error instanceof Problem || signal.aborted)) throw error;
    }
    partial.push(name);
    return null;
  }

  return {
    /** Returns the part, or null if the caller may not read it, it does not exist, or it could not be read in time. */
    async read<Part>(
      name: string,
      { needs, byKey, bySite = false }: PartAccess,
      read: (signal: AbortSignal) => Promise<Part>,
    ): Promise<Part | null> {
      const isOpen = (byKey || caller.kind !== "api_key") && (bySite || caller.sites === undefined);
      return isOpen && isCallerAllowed(caller, needs) ? tryRead(name, read) : null;
    },

    /** Call this after reading all parts. */
    coverage: () => ({ is_partial: partial.length > 0, partial: partial.toSorted() }),
  };
}

const LATE = Symbol("late");
