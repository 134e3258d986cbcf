import type { Citation } from "./chat-event.ts";

export interface Message {
  role: "user" | "assistant";
  text: string;
  /** What an answer cites. */
  citations: Citation[];
  created_at: Date;
}

/** A question and its answer. */
export type Exchange = readonly [Message, Message];

/** The newest messages of a conversation are kept. */
export const MAX_MESSAGES = 50;
