import Type, { type Static } from "typebox";
import { OutboundEntryBody, StartBody } from "../../foundation/outbound/outbound.schema.ts";
import { MODES } from "../../foundation/runtime/runtime.schema.ts";

const Mode = Type.Enum([...MODES]);

/** `from` is the first instant that counts, `to` the first that does not. */
export const ProofQuery = Type.Object({
  from: Type.String({ format: "date-time" }),
  to: Type.String({ format: "date-time" }),
});
export type ProofQuery = Static<typeof ProofQuery>;

/** What left the platform in a time, and what did not, signed: everything but the signature is under it. */
export const ModeProofBody = Type.Object({
  format: Type.Literal("manara-soc-mode-proof-1"),
  from: Type.String(),
  to: Type.String(),
  mode: Mode,
  generated_at: Type.String({ description: "what happened later is not in it, even if it lies between from and to" }),
  is_complete: Type.Boolean({ description: "false when there was more than the entries show, or may have been" }),
  starts: Type.Array(StartBody, { description: "of processes: the last one before from, and those up to to" }),
  entries: Type.Array(OutboundEntryBody),
  totals: Type.Object({ refused: Type.Integer(), recorded: Type.Integer(), sent: Type.Integer() }),
  key_id: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  public_key: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  signature: Type.String({ pattern: "^[0-9a-f]{128}$" }),
});
export type ModeProofBody = Static<typeof ModeProofBody>;
