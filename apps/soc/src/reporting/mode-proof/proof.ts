import { invalidField } from "@kit/problem";
import { canonicalJson } from "@kit/query/canonical-json";
import type { OutboundEntry } from "../../foundation/outbound/dispatch.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { ModeProofBody, ProofQuery } from "./mode-proof.schema.ts";

const MAX_DAYS = 31;

/** Throws for ranges that the schema accepts: with a leap second, empty, reversed or too long. */
export function parseRange(query: ProofQuery): { from: Date; to: Date } {
  const [from, to] = [parseInstant("from", query.from), parseInstant("to", query.to)];
  if (to <= from) throw invalidField("from", "must be earlier than to");
  if (to.getTime() - from.getTime() > MAX_DAYS * 86_400_000) {
    throw invalidField("to", `must be at most ${MAX_DAYS} days after from`);
  }
  return { from, to };
}

function parseInstant(field: string, text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw invalidField(field, `'${text}' is not a valid time`);
  return instant;
}

/** An attempted sending counts as sent whatever its result, because it may have arrived. */
export function countTotals(entries: readonly OutboundEntry[]): ModeProofBody["totals"] {
  const count = (wanted: OutboundEntry["outcome"]) => entries.filter(({ outcome }) => outcome === wanted).length;
  return { refused: count("refused"), recorded: count("recorded"), sent: count("intended") };
}

/** Returns the signed text. */
export function formatProof(statement: Omit<ModeProofBody, "signature">): string {
  return canonicalJson(statement);
}

export function signProof(
  key: LedgerKey,
  made: Omit<ModeProofBody, "format" | "key_id" | "public_key" | "signature">,
): ModeProofBody {
  const { key_id, public_key } = key;
  const statement = { format: "manara-soc-mode-proof-1", ...made, key_id, public_key } as const;
  return { ...statement, signature: key.sign(formatProof(statement)) };
}
