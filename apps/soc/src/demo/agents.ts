import type { AgentFacts } from "../assistants/agents/agent.ts";
import { SEED } from "./seed.ts";
import { minutesBefore, SITES } from "./story.ts";

export function buildShowcaseAgents(now: Date): AgentFacts[] {
  return SEED.agents.map(
    ({ sites, minutesAgo, instances = 1, status = "active" as const, error = null, ...fact }): AgentFacts => ({
      ...fact,
      status,
      sites: sites.map((site) => SITES[site].id),
      instances,
      last_active: minutesBefore(now, minutesAgo),
      error,
    }),
  );
}
