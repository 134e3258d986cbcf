import Type, { type Static } from "typebox";
import { OutboundEntryBody, StartBody } from "../../foundation/outbound/outbound.schema.ts";
import { MODES } from "../../foundation/runtime/runtime.schema.ts";

const Mode = Type.Enum([...MODES], { title: "Mode" });

/** A half-open range: `from` is included, `to` is not. */
export const ProofQuery = Type.Object({
  from: Type.String({ format: "date-time" }),
  to: Type.String({ format: "date-time" }),
});
export type ProofQuery = Static<typeof ProofQuery>;

/** A signed list of outbound traffic and refusals in a period. The signature covers all other fields. */
export const ModeProofBody = Type.Object(
  {
    format: Type.Literal("manara-soc-mode-proof-1"),
    from: Type.String(),
    to: Type.String(),
    mode: Mode,
    generated_at: Type.String({ description: "the proof excludes anything later, even between from and to" }),
    is_complete: Type.Boolean({ description: "false if entries are missing or may be missing" }),
    starts: Type.Array(StartBody, {
      description: "process starts: the last one before from and all between from and to",
    }),
    entries: Type.Array(OutboundEntryBody),
    totals: Type.Object({ refused: Type.Integer(), recorded: Type.Integer(), sent: Type.Integer() }),
    key_id: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    public_key: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    signature: Type.String({ pattern: "^[0-9a-f]{128}$" }),
  },
  { title: "ModeProof" },
);
export type ModeProofBody = Static<typeof ModeProofBody>;
