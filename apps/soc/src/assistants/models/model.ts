import type { ModelTool } from "./model-tool.ts";
import type { Question, Reply } from "./reply.ts";

/**
 * One turn of a conversation. `data` contains text of other authors and is shown to the model as JSON below the text.
 */
export interface Message {
  role: "user" | "assistant";
  text: string;
  data?: unknown;
}

export interface LoopBudget {
  /** The maximum number of replies. Calls in the last one are not executed. */
  steps: number;
  /** For all replies together. */
  outputTokens: number;
  /** For everything, including the tools. */
  milliseconds: number;
}

/** A task for a model that may use tools. */
export interface ToolLoop {
  system: string;
  messages: readonly Message[];
  /** All tools of the model, fixed before it reads any text of other authors. */
  tools: readonly ModelTool[];
  /**
   * Executes a validated call. Each call of a reply is executed once, in order. A Problem is returned to the model; any
   * other error ends the loop.
   */
  call: (name: string, input: unknown, signal: AbortSignal) => Promise<unknown>;
  budget: LoopBudget;
  /** Aborts when the result is no longer needed. */
  signal?: AbortSignal | undefined;
  /** Receives the text of the replies while it arrives. */
  onText?: ((text: string) => void) | undefined;
}

/**
 * How it ended. `answered`: with a text and no further call. `refused`: the model or its provider declined. `failed`:
 * the provider or the reply was at fault. `timeout`: after its milliseconds. `budget`: after its steps, tokens or
 * bytes. `cancelled`: by the signal.
 */
export type LoopEnd = "answered" | "refused" | "failed" | "timeout" | "budget" | "cancelled";

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  /** The executed tool calls. */
  calls: number;
}

export interface ToolLoopResult {
  ended: LoopEnd;
  /** The text of the last reply, complete if it is `answered`; empty after `timeout` and `cancelled`. */
  text: string;
  usage: Usage;
  /** Why it did not end with an answer, without secrets. */
  detail?: string;
}

export interface Model {
  /** The provider and the model, such as `anthropic/claude-sonnet-4-5`. */
  name: string;
  run(loop: ToolLoop): Promise<ToolLoopResult>;
  /** Sends one request for a loop that its caller runs and records. A reply that takes too long has failed. */
  ask(question: Question, limits: { milliseconds: number; signal: AbortSignal }): Promise<Reply>;
}
