import type { ChatMessage } from "./chat-message.ts";

/** A conversation of this visit. */
export interface KeptConversation {
  id: string;
  /** Its first question. */
  title: string;
  messages: readonly ChatMessage[];
  at: Date;
}

const MAX_KEPT = 50;

/** The conversations with this one first; the oldest ones give way. One without an answer has no id and is not kept. */
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
