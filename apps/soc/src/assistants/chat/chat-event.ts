/** The types of records that an answer can cite; each has a route by id. */
export type CitedKind = "alert" | "case" | "log" | "ioc" | "endpoint";

export interface Citation {
  kind: CitedKind;
  id: string;
}

export interface Usage {
  /** The number of lookups. */
  tool_calls: number;
  duration_ms: number;
}

/** The events of an answer. `[n]` in a text refers to its n-th citation. */
export type AnswerEvent =
  | { event: "token"; data: { text: string } }
  | { event: "citation"; data: Citation }
  | { event: "tool"; data: { name: string; status: "running" | "completed" | "error" } };

/**
 * The events of a stream: an answer and how it ended. `model` is the configured language model; null if there is none.
 */
export type ChatEvent =
  | AnswerEvent
  | { event: "done"; data: { conversation_id: string; usage: Usage; model: string | null } }
  | { event: "error"; data: { detail: string } };

/** JSON.stringify escapes line breaks, so an event is always one `data:` line. */
export function formatChatFrame({ event, data }: ChatEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
