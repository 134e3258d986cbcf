import type { Base, Registrations } from "../../foundation/base.ts";
import type { RefreshCallers } from "../../foundation/caller/caller.ts";
import type { Model } from "../models/model.ts";
import type { ToolsService } from "../tools/tools.service.ts";
import { createRuleAnswer } from "./answer.ts";
import { createModelAnswer } from "./answer-model.ts";
import { chatRoutes } from "./chat.routes.ts";
import { createChatService } from "./chat.service.ts";
import { createConversationsStore } from "./conversations.store.ts";
import type { LookupsDeps } from "./lookups.ts";
import { createMemoryConversations } from "./memory-conversations.store.ts";

export interface ChatNeeds extends LookupsDeps {
  tools: Pick<ToolsService, "call" | "listUsable">;
  model: Model | undefined;
  refreshCallers: RefreshCallers;
}

/** Answers questions in natural language from records that the caller may read. */
export function createChat(base: Base, needs: ChatNeeds) {
  const { tools, alerts, cases, endpoints, model, refreshCallers } = needs;
  const { db, runtime, changes, clock, ids, log } = base;
  const byRules = createRuleAnswer({ tools, alerts, cases, endpoints, clock });
  const chat = createChatService({
    answer: model ? createModelAnswer({ model, tools, otherwise: byRules }) : byRules,
    model: model?.name ?? null,
    runtime,
    changes,
    stored: createConversationsStore(db),
    memory: createMemoryConversations(),
    refreshCallers,
    clock,
    ids,
    log,
  });
  return {
    services: { chat },
    registrations: {
      routes: [chatRoutes(chat, clock)],
      sweeps: [{ name: "chat conversations", run: () => chat.sweep() }],
    } satisfies Registrations,
  };
}
