import type { Effect } from "../foundation/actions/action.ts";
import { type Approval, effectHashOf } from "../response/approvals/approval.ts";
import { ISOLATED_ENDPOINT, ISOLATION } from "./endpoints.ts";
import { type Analyst, CASE_IDS, minutesBefore, toStoryId } from "./story.ts";

interface ApprovalFact
  extends Pick<
    Approval,
    "kind" | "playbook_id" | "playbook_version" | "action" | "justification" | "case_id" | "parameters"
  > {
  minutesAgo: number;
  by: Analyst;
  effect: Effect[];
  decision?: { minutesAgo: number; by: Analyst; reason: string; usedBy: string };
}

const LIVES_MINUTES = 240;
const MEASUREMENT = "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184";

/** Both devices attest the same unreleased measurement. */
function buildRevocation(device_id: string, consequence: string): ApprovalFact {
  return {
    minutesAgo: 180,
    by: "daniel.okafor",
    kind: "playbook",
    playbook_id: "firmware-mismatch",
    playbook_version: 3,
    action: "Run playbook 'Firmware mismatch'",
    justification: "The same unknown measurement on both devices.",
    case_id: CASE_IDS.devices,
    parameters: { device_id, hash: MEASUREMENT },
    effect: [{ summary: `Revokes the certificate of ${device_id}. ${consequence}`, sends: [] }],
  };
}

const APPROVALS: readonly ApprovalFact[] = [
  {
    minutesAgo: 268,
    by: "daniel.okafor",
    kind: "action",
    playbook_id: null,
    playbook_version: null,
    action: "Isolate an endpoint",
    justification: ISOLATION.reason,
    case_id: CASE_IDS.movement,
    parameters: {
      endpoint_id: ISOLATED_ENDPOINT,
      action: "isolate",
      reason: ISOLATION.reason,
      case_id: CASE_IDS.movement,
    },
    effect: [
      {
        summary: "Isolates FIN-LT-014 from the network",
        sends: [
          {
            destination: "edr",
            method: "POST",
            url: "https://edr.manara.example/v1/actions",
            body: { action: "isolate", hostname: "FIN-LT-014" },
          },
        ],
      },
    ],
    decision: {
      minutesAgo: 262,
      by: "hassan.ali",
      reason: "The laptop only. The file server stays on.",
      usedBy: ISOLATION.action_id,
    },
  },
  buildRevocation("player-kiosk-07", "Disconnects it at once; the classroom has no audio until it is replaced."),
  buildRevocation("gw-waterworks-02", "Disconnects it at once; hall 2 then runs in manual mode."),
];

export function buildShowcaseApprovals(now: Date): Approval[] {
  return APPROVALS.map(({ minutesAgo, by, decision, ...fact }, index) => {
    const bound = { ...fact, alert_id: null };
    return {
      ...bound,
      missing_inputs: [],
      id: toStoryId("approval", index + 1),
      status: decision ? "approved" : "pending",
      effect_hash: effectHashOf({ ...bound, requesters: [by] }),
      requested_by: by,
      requested_at: minutesBefore(now, minutesAgo),
      expires_at: minutesBefore(now, minutesAgo - LIVES_MINUTES),
      decided_by: decision?.by ?? null,
      decided_at: decision ? minutesBefore(now, decision.minutesAgo) : null,
      reason: decision?.reason ?? null,
      execution_id: decision?.usedBy ?? null,
    };
  });
}
