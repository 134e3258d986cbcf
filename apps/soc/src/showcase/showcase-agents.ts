import type { AgentFacts } from "../assistants/agents/agent.ts";
import { minutesBefore, SITES, type SiteKey } from "./story.ts";

interface AgentFact
  extends Pick<AgentFacts, "id" | "runs_24h">,
    Partial<Pick<AgentFacts, "status" | "instances" | "error">> {
  sites: readonly SiteKey[];
  /** When it was last active. */
  minutesAgo: number;
}

const ALL: readonly SiteKey[] = ["office", "school", "waterworks"];

// On the day after the intrusion. An agent that acts in a case was active at that time or later.
const AGENTS: readonly AgentFact[] = [
  { id: "agent-001", sites: ALL, instances: 3, minutesAgo: 12, runs_24h: 34 },
  { id: "agent-002", sites: ALL, instances: 2, minutesAgo: 12, runs_24h: 31 },
  { id: "agent-003", sites: ALL, instances: 2, minutesAgo: 26, runs_24h: 19 },
  {
    id: "agent-004",
    sites: ALL,
    status: "error",
    error: "3 runs in a row ended after 60 s without an answer of the indicator search",
    minutesAgo: 95,
    runs_24h: 11,
  },
  // Parked: hunts are started by hand this week.
  { id: "agent-005", sites: ["office", "waterworks"], instances: 0, minutesAgo: 2870, runs_24h: 0 },
  { id: "agent-006", sites: ["office"], minutesAgo: 1275, runs_24h: 2 },
  { id: "agent-007", sites: ["office", "school"], minutesAgo: 340, runs_24h: 4 },
  { id: "agent-008", sites: ["office"], minutesAgo: 48, runs_24h: 9 },
  { id: "agent-009", sites: ALL, minutesAgo: 61, runs_24h: 12 },
  { id: "agent-010", sites: ALL, minutesAgo: 255, runs_24h: 8 },
  { id: "agent-011", sites: ["office"], status: "disabled", minutesAgo: 4400, runs_24h: 0 },
  { id: "agent-012", sites: ["school", "waterworks"], minutesAgo: 175, runs_24h: 6 },
  { id: "agent-013", sites: ["school", "waterworks"], minutesAgo: 58, runs_24h: 25 },
  { id: "agent-014", sites: ALL, minutesAgo: 180, runs_24h: 3 },
  { id: "agent-015", sites: ["office"], minutesAgo: 230, runs_24h: 2 },
  { id: "agent-016", sites: ALL, minutesAgo: 26, runs_24h: 21 },
];

export function buildShowcaseAgents(now: Date): AgentFacts[] {
  return AGENTS.map(
    ({ sites, minutesAgo, instances = 1, status = "active", error = null, ...fact }): AgentFacts => ({
      ...fact,
      status,
      sites: sites.map((site) => SITES[site].id),
      instances,
      last_active: minutesBefore(now, minutesAgo),
      error,
    }),
  );
}
