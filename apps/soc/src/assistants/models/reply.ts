import type { ModelTool } from "./model-tool.ts";

/** A call that the model requested. */
export interface AskedCall {
  name: string;
  input: unknown;
  /** Why it must not be executed. */
  misfit?: string;
}

/** A call in the history with an id of our own, because ids of a model need not be unique. */
export interface PastCall extends AskedCall {
  id: string;
}

export type Turn =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly PastCall[] }
  | { role: "results"; results: readonly { id: string; name: string; value: unknown; isError: boolean }[] };

/** The conversation so far. */
export interface Conversation {
  system: string;
  turns: readonly Turn[];
  maxOutputTokens: number;
}

export interface Question extends Conversation {
  tools: readonly ModelTool[];
}

export interface ReplyRequest extends Question {
  signal: AbortSignal;
  onText: (text: string) => void;
}

export interface ReplyUsage {
  input: number;
  output: number;
}

/** The result of one request. A failed request may be retried only if the model started no reply. */
export type Reply =
  | { kind: "complete"; text: string; calls: AskedCall[]; usage: ReplyUsage }
  | { kind: "refused" | "failed" | "budget"; text: string; usage: ReplyUsage; detail: string; retryAfterMs?: number };

/** Sends the conversation to the model once. Throws only if the signal aborts. */
export type RequestReply = (request: ReplyRequest) => Promise<Reply>;
