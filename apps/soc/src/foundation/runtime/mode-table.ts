import type { Mode } from "./runtime.schema.ts";

/**
 * What a request does to the world. `none`: reads, sign-in, searches. `change`: what a person changes. `internal`: records of
 * the platform's own pipelines. `finding`: a change when a person makes it, internal when a sensor reports it by its key.
 */
export type Effect = "none" | "change" | "internal" | "finding";

/** What becomes of it: answered from a source, done, only shown, blocked by the mode, or refused for want of a database. */
export type Fate = "database" | "showcase" | "done" | "preview" | "blocked" | "unavailable";

interface Fates {
  /** The database answers. */
  up: Fate;
  down: Fate;
}

/** The table of modes. The gates, `GET /system/mode`, the page in docs/api and the tests all read this one. */
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

/** What leaves the platform: an effect out there, or a question whose answer it needs. */
export const OUTSIDE: Readonly<Record<"effect" | "question", Readonly<Record<Mode, "refused" | "recorded" | "sent">>>> =
  {
    effect: { dummy: "refused", dry_run: "recorded", real: "sent" },
    question: { dummy: "refused", dry_run: "sent", real: "sent" },
  };

/** Whose row of the table counts. */
export function selectRow(effect: Effect, isSensor: boolean): keyof typeof MODE_TABLE {
  if (effect !== "finding") return effect;
  return isSensor ? "internal" : "change";
}
