/** The kinds of records that an answer can cite; each has a route that reads one by its id. */
export type CitedKind = "alert" | "case" | "log" | "ioc" | "endpoint";

export interface Citation {
  kind: CitedKind;
  id: string;
}

export interface Usage {
  /** How many lookups the answer made. */
  tool_calls: number;
  duration_ms: number;
}

/** What an answer consists of. `[n]` in a text refers to the n-th citation of the answer. */
export type AnswerEvent =
  | { event: "token"; data: { text: string } }
  | { event: "citation"; data: Citation }
  | { event: "tool"; data: { name: string; status: "running" | "completed" | "error" } };

/** What a stream carries: an answer, and how it ended. `model` is the configured language model; null without one. */
export type ChatEvent =
  | AnswerEvent
  | { event: "done"; data: { conversation_id: string; usage: Usage; model: string | null } }
  | { event: "error"; data: { detail: string } };

/** JSON.stringify escapes line breaks, so an event is always one `data:` line. */
export function formatChatFrame({ event, data }: ChatEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
