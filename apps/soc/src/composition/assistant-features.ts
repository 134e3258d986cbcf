import { type ChatNeeds, createChat } from "../assistants/chat/chat.feature.ts";
import { createModels, type ModelsNeeds } from "../assistants/models/models.feature.ts";
import { JUDGED_PLANS, PLANS } from "../assistants/plans/plans.ts";
import { createRuns, type RunsNeeds } from "../assistants/runs/runs.feature.ts";
import { createTools, type ToolsNeeds } from "../assistants/tools/tools.feature.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

type Given = Omit<ToolsNeeds, "machine" | "publicUrl"> &
  Omit<ChatNeeds, "tools" | "model"> &
  Omit<ModelsNeeds, "settings"> &
  Omit<RunsNeeds, "logStore" | "tools" | "model" | "plans">;

/** Creates the features of agents and chat, and connects them. */
export function createAssistantFeatures(needs: PlatformNeeds, given: Given) {
  const { base, files } = needs;
  const tools = createTools(base, { ...needs, ...given });
  const models = createModels(base, { ...given, settings: files.model });
  const chat = createChat(base, { ...given, ...tools, ...models });
  const plans = { evidence: PLANS, judged: JUDGED_PLANS };
  const runs = createRuns(base, { ...needs, ...given, ...tools, ...models, plans, opensCases: needs.agentCases });
  return [tools, chat, models, runs] as const;
}
