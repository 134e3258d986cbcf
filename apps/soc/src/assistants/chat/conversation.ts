import type { Citation } from "./chat-event.ts";

export interface Message {
  role: "user" | "assistant";
  text: string;
  /** The citations of an answer. */
  citations: Citation[];
  created_at: Date;
}

/** A question and its answer. */
export type Exchange = readonly [Message, Message];

/** Only the newest messages of a conversation are stored. */
export const MAX_MESSAGES = 50;
