import type { EventFrame } from "./event-frames.ts";

export interface Citation {
  kind: "alert" | "case" | "log" | "ioc" | "endpoint";
  id: string;
}

/** `cut`: the stream ended without an end event. `stopped`: by the user. */
export type AnswerState = "writing" | "done" | "stopped" | "cut" | "failed";

export interface ChatMessage {
  key: number;
  role: "user" | "assistant";
  text: string;
  citations: readonly Citation[];
  state: AnswerState;
  /** The tool call in progress. */
  tool?: string | undefined;
  /** The error message of the service. */
  detail?: string | undefined;
  /** Set at the end. */
  conversationId?: string | undefined;
  /** Name of the answering language model; null if there is none; undefined before the end. */
  model?: string | null | undefined;
}

const KINDS: readonly string[] = ["alert", "case", "log", "ioc", "endpoint"];
const PATHS: Readonly<Record<Citation["kind"], string>> = {
  alert: "/alerts/",
  case: "/cases/",
  log: "/hunt/log/",
  ioc: "/indicators/",
  endpoint: "/endpoints/",
};

/** The page of a cited record. */
export function toPath({ kind, id }: Citation): string {
  return `${PATHS[kind]}${encodeURIComponent(id)}`;
}

/** Applies one event to the answer. Unknown events are ignored: a newer service may send more. */
export function addEvent(message: ChatMessage, { event, data }: EventFrame): ChatMessage {
  const fields = parseFields(data);
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined);
  switch (event) {
    case "token":
      return { ...message, text: `${message.text}${text("text") ?? ""}` };
    case "tool":
      return { ...message, tool: fields.status === "running" ? text("name") : undefined };
    case "citation":
      return isCitation(fields) ? { ...message, citations: [...message.citations, fields] } : message;
    case "done":
      return {
        ...message,
        state: "done",
        tool: undefined,
        conversationId: text("conversation_id"),
        model: fields.model === null ? null : text("model"),
      };
    case "error":
      return { ...message, state: "failed", tool: undefined, detail: text("detail") };
    default:
      return message;
  }
}

/** The stream has ended. An answer without an end event was cut. */
export function endAnswer(message: ChatMessage, state: "stopped" | "cut"): ChatMessage {
  return message.state === "writing" ? { ...message, state, tool: undefined } : message;
}

function parseFields(data: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isCitation(fields: object): fields is Citation {
  const { kind, id }: { kind?: unknown; id?: unknown } = fields;
  return typeof kind === "string" && KINDS.includes(kind) && typeof id === "string";
}
