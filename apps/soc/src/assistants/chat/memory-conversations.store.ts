import { type Exchange, MAX_MESSAGES, type Message } from "./conversation.ts";
import type { ConversationsStore } from "./conversations.store.ts";

interface StoredConversation {
  owner: string;
  messages: Message[];
}

const MAX_CONVERSATIONS = 100;

/** Keeps the newest conversations in memory where nothing may be stored. */
export interface MemoryConversations extends ConversationsStore {
  add(owner: string, id: string, exchange: Exchange): void;
}

export function createMemoryConversations(): MemoryConversations {
  // A Map keeps insertion order: the first conversation is the one with the oldest last message.
  const kept = new Map<string, StoredConversation>();

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
