import type { ModeProofBody } from "@soc/service/contract/reporting/mode-proof/mode-proof";
import type { Server, Wire } from "../../../app/server/server.ts";

export type ModeProof = Wire<ModeProofBody>;
export type ProofEntry = ModeProof["entries"][number];

/** The outbound activity of a time range. The signature covers every field: do not change the file. */
export const readProof = (server: Server, from: Date, to: Date, signal?: AbortSignal) =>
  server.get<ModeProof>("/system/mode/proof", {
    query: { from: from.toISOString(), to: to.toISOString() },
    signal,
    priority: "user",
  });
