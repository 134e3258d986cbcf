import type { LogField } from "../search/log.ts";

/** A field of the log, or a path into its attributes (`process.name` is written as two parts). */
export type Field = { name: LogField } | { attribute: readonly string[] };

/** What a text must be from its first to its last character; `any` stands for any characters, `one` for exactly one. */
export type Pattern = readonly ({ text: string } | { wildcard: "any" | "one" })[];

export type Comparison = "lt" | "le" | "gt" | "ge";

/**
 * What a search, a hunt and a rule ask of an event. One tree, two back ends that must agree on every event: SQL for the
 * log store, and a predicate in memory for the stream and the showcase. A list in an attribute fits when one of its
 * elements does. Text is compared without regard to case unless `isCased`.
 */
export type Condition =
  | { kind: "all" }
  | { kind: "none" }
  | { kind: "and" | "or"; of: readonly Condition[] }
  | { kind: "not"; of: Condition }
  /** Each of these words occurs in the message as a whole word. */
  | { kind: "words"; words: readonly string[] }
  | { kind: "text"; field: Field; pattern: Pattern; isCased: boolean }
  /** The pattern fits some part of the message or the raw event (Sigma's keywords). */
  | { kind: "anywhere"; pattern: Pattern; isCased: boolean }
  | { kind: "regex"; field: Field; source: string; isCased: boolean; isMultiline: boolean; dotAll: boolean }
  | { kind: "number"; field: Field; comparison: Comparison | "eq"; value: number }
  /** Instants are epoch milliseconds; for `timestamp` and `ingested_at`. */
  | { kind: "instant"; field: Field; comparison: Comparison; value: number }
  | { kind: "network"; field: Field; address: string; prefixBits: number }
  /** The field is there and not empty. */
  | { kind: "exists"; field: Field }
  | {
      kind: "same";
      field: Field;
      other: Field;
      how: "equals" | "startswith" | "endswith" | "contains";
      isCased: boolean;
    };
