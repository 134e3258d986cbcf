import type { Mode } from "./runtime.schema.ts";

/**
 * What a request changes. `none`: reads, sign-in, searches. `change`: a change by a person. `internal`: records of the
 * platform's own pipelines. `finding`: `change` if a person reports it, `internal` if a sensor does so with its API
 * key.
 */
export type Effect = "none" | "change" | "internal" | "finding";

/**
 * What happens to a request: answered from a source, done, previewed, blocked by the mode, or refused because the
 * database is unavailable.
 */
export type Fate = "database" | "showcase" | "done" | "preview" | "blocked" | "unavailable";

interface Fates {
  /** While the database is available. */
  up: Fate;
  down: Fate;
}

/** The mode table. The gates, `GET /system/mode`, the page in docs/api and the tests all read it. */
export const MODE_TABLE: Readonly<Record<Exclude<Effect, "finding">, Readonly<Record<Mode, Fates>>>> = {
  none: {
    dummy: { up: "database", down: "showcase" },
    dry_run: { up: "database", down: "unavailable" },
    real: { up: "database", down: "unavailable" },
  },
  change: {
    dummy: { up: "blocked", down: "blocked" },
    dry_run: { up: "preview", down: "unavailable" },
    real: { up: "done", down: "unavailable" },
  },
  internal: {
    dummy: { up: "blocked", down: "blocked" },
    dry_run: { up: "done", down: "unavailable" },
    real: { up: "done", down: "unavailable" },
  },
};

/** What happens to outbound requests: effects on other systems, and questions whose answers the platform needs. */
export const OUTSIDE: Readonly<Record<"effect" | "question", Readonly<Record<Mode, "refused" | "recorded" | "sent">>>> =
  {
    effect: { dummy: "refused", dry_run: "recorded", real: "sent" },
    question: { dummy: "refused", dry_run: "sent", real: "sent" },
  };

/** Selects the row of the mode table that applies. */
export function selectRow(effect: Effect, isSensor: boolean): keyof typeof MODE_TABLE {
  if (effect !== "finding") return effect;
  return isSensor ? "internal" : "change";
}
