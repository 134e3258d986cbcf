import type { ModelTool } from "./model-tool.ts";
import type { Question, Reply } from "./reply.ts";

/** One turn of a conversation. `data` is shown to the model as JSON below the text: for everything that others wrote. */
export interface Message {
  role: "user" | "assistant";
  text: string;
  data?: unknown;
}

export interface LoopBudget {
  /** How many replies the model may give. Calls in the last one are not executed. */
  steps: number;
  /** Of all replies together. */
  outputTokens: number;
  /** For everything, the tools included. */
  milliseconds: number;
}

/** A task for a model that may use tools. */
export interface ToolLoop {
  system: string;
  messages: readonly Message[];
  /** All tools that exist for the model: fixed before it reads any text of others. */
  tools: readonly ModelTool[];
  /**
   * Executes a call whose name and input were checked. Each call of a reply is executed once, in order. A Problem is
   * given back to the model; any other error ends the loop.
   */
  call: (name: string, input: unknown, signal: AbortSignal) => Promise<unknown>;
  budget: LoopBudget;
  /** Aborts when the result is no longer wanted. */
  signal?: AbortSignal | undefined;
  /** Gets the text of the replies while it arrives. */
  onText?: ((text: string) => void) | undefined;
}

/**
 * How it ended. `answered`: with a text and no further call. `refused`: the model or its provider declined. `failed`: the
 * provider or the reply was at fault. `timeout`: after its milliseconds. `budget`: after its steps, tokens or bytes.
 * `cancelled`: by the signal.
 */
export type LoopEnd = "answered" | "refused" | "failed" | "timeout" | "budget" | "cancelled";

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  /** The tool calls that were executed. */
  calls: number;
}

export interface ToolLoopResult {
  ended: LoopEnd;
  /** The text of the last reply, complete if it is `answered`; empty after `timeout` and `cancelled`. */
  text: string;
  usage: Usage;
  /** Why it did not end with an answer, in words without secrets. */
  detail?: string;
}

export interface Model {
  /** The provider and the model, such as `anthropic/claude-sonnet-4-5`. */
  name: string;
  run(loop: ToolLoop): Promise<ToolLoopResult>;
  /** Asks once, for a loop that its caller runs and records. A reply that takes too long has failed. */
  ask(question: Question, limits: { milliseconds: number; signal: AbortSignal }): Promise<Reply>;
}
