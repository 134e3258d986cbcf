import type { ChatMessage } from "./chat-message.ts";

/** A conversation of this visit. */
export interface KeptConversation {
  id: string;
  /** The first question, used as the title. */
  title: string;
  messages: readonly ChatMessage[];
  at: Date;
}

const MAX_KEPT = 50;

/**
 * Puts this conversation first and drops the oldest beyond the limit. A conversation without an answer has no id and is
 * not stored.
 */
export function keepConversation(
  kept: readonly KeptConversation[],
  id: string | undefined,
  messages: readonly ChatMessage[],
  at: Date,
): readonly KeptConversation[] {
  const [first] = messages;
  if (id === undefined || !first) return kept;
  const known = kept.find((each) => each.id === id);
  const title = known?.title ?? first.text;
  return [{ id, title, messages, at }, ...kept.filter((each) => each.id !== id)].slice(0, MAX_KEPT);
}
