import type { ModeProofBody } from "@soc/service/contract/reporting/mode-proof/mode-proof";
import type { Server } from "../../../app/server/server.ts";
import type { Wire } from "../../../app/server/wire.ts";

export type ModeProof = Wire<ModeProofBody>;
export type ProofEntry = ModeProof["entries"][number];

/** What left the platform in a range of time. It is signed over every field: the file must stay as it is. */
export const readProof = (server: Server, from: Date, to: Date, signal?: AbortSignal) =>
  server.get<ModeProof>("/system/mode/proof", {
    query: { from: from.toISOString(), to: to.toISOString() },
    signal,
    priority: "user",
  });
