import type { RuleBody } from "@soc/service/contract/detection/rules/rules";
import type { Server } from "../../../app/server/server.ts";
import type { Listed } from "../../../app/server/wire.ts";

export const ruleChoiceKeys = { names: ["rules", "list", "names"] };

const MAX_RULES = 200;

/** The newest rules, for a choice. */
export async function listRuleNames(server: Server, signal: AbortSignal) {
  const { items } = await server.get<Listed<Pick<RuleBody, "id" | "name">>>("/detections/rules", {
    query: { limit: MAX_RULES },
    signal,
  });
  return items;
}
