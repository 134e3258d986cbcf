import type { Base } from "../../foundation/base.ts";
import { createRuleAnswer } from "./answer.ts";
import { chatRoutes } from "./chat.routes.ts";
import { createChatService } from "./chat.service.ts";
import { createConversationsStore } from "./conversations.store.ts";
import type { LookupsDeps } from "./lookups.ts";
import { createMemoryConversations } from "./memory-conversations.store.ts";

/** Questions in plain words, answered from what the caller may read. */
export function createChat(base: Base, { tools, alerts, cases, endpoints }: LookupsDeps) {
  const { db, runtime, changes, clock, ids, log } = base;
  const chat = createChatService({
    answer: createRuleAnswer({ tools, alerts, cases, endpoints, clock }),
    runtime,
    changes,
    stored: createConversationsStore(db),
    memory: createMemoryConversations(),
    clock,
    ids,
    log,
  });
  return {
    chat,
    routes: [chatRoutes(chat, clock)],
    sweeps: [{ name: "chat conversations", run: () => chat.sweep() }],
  };
}
