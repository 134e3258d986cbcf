import type { RuleBody } from "@soc/service/contract/detection/rules/rules";
import type { ListResponse, Server } from "../../../app/server/server.ts";

export const ruleChoiceKeys = { names: ["rules", "list", "names"] };

const MAX_RULES = 200;

/** The newest rules, to choose from. */
export async function listRuleNames(server: Server, signal: AbortSignal) {
  const { items } = await server.get<ListResponse<Pick<RuleBody, "id" | "name">>>("/detections/rules", {
    query: { limit: MAX_RULES },
    signal,
  });
  return items;
}
