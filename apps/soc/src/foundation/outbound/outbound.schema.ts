import Type, { type Static } from "typebox";
import { MODES } from "../runtime/runtime.schema.ts";

const Mode = Type.Enum([...MODES], { title: "Mode" });

export const OutboundEntryBody = Type.Object(
  {
    id: Type.String(),
    at: Type.String(),
    mode: Mode,
    kind: Type.Enum(["effect", "question"]),
    destination: Type.String(),
    purpose: Type.String(),
    method: Type.String(),
    host: Type.String(),
    path: Type.String(),
    body_sha256: Type.String(),
    body_bytes: Type.Integer(),
    outcome: Type.Enum(["refused", "recorded", "intended", "answered", "failed"]),
    status: Type.Union([Type.Integer(), Type.Null()]),
    of: Type.Union([Type.String({ description: "the intended entry that this one ends" }), Type.Null()]),
  },
  { title: "OutboundEntry" },
);
export type OutboundEntryBody = Static<typeof OutboundEntryBody>;

export const StartBody = Type.Object({ id: Type.String(), at: Type.String(), mode: Mode }, { title: "ProcessStart" });
export type StartBody = Static<typeof StartBody>;
