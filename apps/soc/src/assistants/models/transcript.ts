import { createHash } from "node:crypto";

/** One thing that happened in a run with a model. */
export type TranscriptEntry =
  | {
      kind: "request";
      body_sha256: string;
      /** The body of the first request: model, system, prompt and tools. The later ones follow from the entries between. */
      body?: string;
    }
  | { kind: "reply"; status: number; body: string; is_complete: boolean }
  | {
      kind: "call";
      name: string;
      input: unknown;
      /** A call of an unknown tool or with malformed arguments is not executed. */
      is_executed: boolean;
      /** As the model got it. */
      result: unknown;
    };

export type RequestEntry = Extract<TranscriptEntry, { kind: "request" }>;
export type ReplyEntry = Extract<TranscriptEntry, { kind: "reply" }>;

export function buildRequestEntry(body: string, isFirst: boolean): RequestEntry {
  const body_sha256 = createHash("sha256").update(body).digest("hex");
  return { kind: "request", body_sha256, ...(isFirst && { body }) };
}
