import type { Step } from "../investigations-client.ts";

/** An event as the agents read it. The recorded form may lack fields. */
export type EventFields = Readonly<Record<string, unknown>> & { id: string };

const MAX_DEPTH = 6;
export const ANY_FIELD = "*";

/** The events in the recorded steps, by id. A full event takes precedence over a shortened one. */
export function collectEvents(steps: readonly Pick<Step, "kind" | "result">[]): Map<string, EventFields> {
  const events = new Map<string, EventFields>();
  const isFull = ({ kind }: Pick<Step, "kind">) => kind === "reader";
  for (const { result } of [...steps.filter(isFull), ...steps.filter((step) => !isFull(step))])
    addEvents(parse(result), events, 0);
  return events;
}

function addEvents(value: unknown, events: Map<string, EventFields>, depth: number): void {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  if (isEvent(value)) {
    if (!events.has(value.id)) events.set(value.id, value);
    return;
  }
  for (const part of Object.values(value)) addEvents(part, events, depth + 1);
}

function isEvent(value: object): value is EventFields {
  return "id" in value && typeof value.id === "string" && "timestamp" in value;
}

/** Parses recorded JSON; returns other text unchanged. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A field, or a path into the attributes, as text; undefined if the event has no such value. */
export function readField(event: EventFields, field: string): string | undefined {
  if (field === ANY_FIELD) return undefined;
  const { attributes } = event;
  return toText(event[field]) ?? toText(readPath(attributes, field));
}

function readPath(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const parts: Readonly<Record<string, unknown>> = { ...value };
  if (path in parts) return parts[path];
  const at = path.indexOf(".");
  return at < 0 ? undefined : readPath(parts[path.slice(0, at)], path.slice(at + 1));
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
