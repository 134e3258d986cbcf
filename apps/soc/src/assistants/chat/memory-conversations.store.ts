import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import { type Exchange, MAX_MESSAGES, type Message } from "./conversation.ts";
import type { ConversationsStore } from "./conversations.store.ts";

interface StoredConversation {
  owner: string;
  messages: { message: Message; scope: Scope }[];
}

const MAX_CONVERSATIONS = 100;

/** Keeps the newest conversations in memory where nothing may be stored. */
export interface MemoryConversations extends ConversationsStore {
  add(owner: string, id: string, exchange: Exchange, scope: Scope): void;
}

export function createMemoryConversations(): MemoryConversations {
  // A Map keeps insertion order: the first conversation is the one with the oldest last message.
  const kept = new Map<string, StoredConversation>();

  return {
    async find(owner, id, scope) {
      const found = kept.get(id);
      if (found?.owner !== owner) return undefined;
      return found.messages.filter((each) => isWithin(each.scope, scope)).map(({ message }) => message);
    },

    add(owner, id, exchange, scope) {
      const added = exchange.map((message) => ({ message, scope }));
      const messages = [...(kept.get(id)?.messages ?? []), ...added].slice(-MAX_MESSAGES);
      kept.delete(id);
      kept.set(id, { owner, messages });
      if (kept.size <= MAX_CONVERSATIONS) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
}

function isWithin(inner: Scope, outer: Scope): boolean {
  return outer === ALL_SITES || (inner !== ALL_SITES && inner.every((text) => outer.includes(text)));
}
