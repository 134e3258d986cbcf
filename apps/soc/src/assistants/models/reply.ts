import type { ModelTool } from "./model-tool.ts";

/** A call as the model asked for it. */
export interface AskedCall {
  name: string;
  input: unknown;
  /** Why it must not be executed. */
  misfit?: string;
}

/** A call in the history, under an id of our own: ids of a model need not be unique. */
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

/** What one request to a model brought. A failure may be repeated only if the model began no reply. */
export type Reply =
  | { kind: "complete"; text: string; calls: AskedCall[]; usage: ReplyUsage }
  | { kind: "refused" | "failed" | "budget"; text: string; usage: ReplyUsage; detail: string; retryAfterMs?: number };

/** Sends the conversation to the model once. Throws only if the signal aborts. */
export type Ask = (request: ReplyRequest) => Promise<Reply>;
