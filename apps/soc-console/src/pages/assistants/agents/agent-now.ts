import type { Tone } from "../../../design/chip.tsx";
import type { DotShape } from "../../../design/severity.tsx";
import type { Agent } from "./agents-client.ts";

/** `parked`: it has no instance, so it starts no run. `failed`: its last run failed; it still starts new ones. */
export type AgentNow = "disabled" | "parked" | "failed" | "working" | "ready";

/** The agent that leads every investigation. */
const SUPERVISOR = "agent-016";

/** The current activity of an agent, derived from its record and the number of running investigations. */
export function readNow(
  { id, status, instances }: Pick<Agent, "id" | "status" | "instances">,
  runningInvestigations: number,
): AgentNow {
  if (status === "disabled") return "disabled";
  if (instances === 0) return "parked";
  if (id === SUPERVISOR && runningInvestigations > 0) return "working";
  return status === "error" ? "failed" : "ready";
}

export const NOW_SIGNS: Readonly<Record<AgentNow, { shape: DotShape; tone: Tone }>> = {
  disabled: { shape: "cross", tone: "plain" },
  parked: { shape: "ring", tone: "waiting" },
  failed: { shape: "cross", tone: "failed" },
  working: { shape: "half", tone: "running" },
  ready: { shape: "full", tone: "ok" },
};

/** Sites where an agent can be deployed: it is not there yet, and the site has one of its classes. */
export function listFittingSites<Site extends { id: string; profile: { asset_classes?: readonly string[] } }>(
  { sites, asset_classes }: Pick<Agent, "sites" | "asset_classes">,
  known: readonly Site[],
): Site[] {
  const classes: readonly string[] = asset_classes;
  return known.filter(
    ({ id, profile }) => !sites.includes(id) && (profile.asset_classes ?? []).some((one) => classes.includes(one)),
  );
}
