import type { LogField } from "./log-field.ts";

/** A field of the log, or a path into its attributes (`process.name` has two parts). */
export type Field = { name: LogField } | { attribute: readonly string[] };

/** Describes a whole text from its first to its last character; `any` matches any characters, `one` exactly one. */
export type Pattern = readonly ({ text: string } | { wildcard: "any" | "one" })[];

export type Comparison = "lt" | "le" | "gt" | "ge";

/**
 * The condition that a search, a hunt or a rule puts on an event. One tree, two back ends that must agree on every
 * event: SQL for the log store, and a predicate in memory for the stream and the showcase. A list in an attribute
 * matches when one of its elements matches. Text comparison is case-insensitive unless `isCased`.
 */
export type Condition =
  | { kind: "all" }
  | { kind: "none" }
  | { kind: "and" | "or"; of: readonly Condition[] }
  | { kind: "not"; of: Condition }
  /** Each of these words occurs as a whole word in the message or in the raw event, or only in the message. */
  | { kind: "words"; words: readonly string[]; isMessageOnly?: true }
  | { kind: "text"; field: Field; pattern: Pattern; isCased: boolean }
  /** The pattern matches some part of the message or the raw event. */
  | { kind: "anywhere"; pattern: Pattern; isCased: boolean }
  | { kind: "regex"; field: Field; source: string; isCased: boolean; isMultiline: boolean; dotAll: boolean }
  | { kind: "number"; field: Field; comparison: Comparison | "eq"; value: number }
  /** Instants are epoch milliseconds; for `timestamp` and `ingested_at`. */
  | { kind: "instant"; field: Field; comparison: Comparison; value: number }
  | { kind: "network"; field: Field; address: string; prefixBits: number }
  /** The field exists and is not empty. */
  | { kind: "exists"; field: Field }
  | {
      kind: "same";
      field: Field;
      other: Field;
      how: "equals" | "startswith" | "endswith" | "contains";
      isCased: boolean;
    };
