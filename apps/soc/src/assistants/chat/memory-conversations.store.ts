import { type Exchange, MAX_MESSAGES, type Message } from "./conversation.ts";
import type { ConversationsStore } from "./conversations.store.ts";

interface Kept {
  owner: string;
  messages: Message[];
}

const MAX_CONVERSATIONS = 100;

/** Conversations where nothing may be stored: the newest, until the process ends. */
export interface MemoryConversations extends ConversationsStore {
  add(owner: string, id: string, exchange: Exchange): void;
}

export function createMemoryConversations(): MemoryConversations {
  // A Map keeps the order of insertion: the first conversation is the one that was silent longest.
  const kept = new Map<string, Kept>();

  return {
    async find(owner, id) {
      const found = kept.get(id);
      return found?.owner === owner ? [...found.messages] : undefined;
    },

    add(owner, id, exchange) {
      const messages = [...(kept.get(id)?.messages ?? []), ...exchange].slice(-MAX_MESSAGES);
      kept.delete(id);
      kept.set(id, { owner, messages });
      if (kept.size <= MAX_CONVERSATIONS) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
}
