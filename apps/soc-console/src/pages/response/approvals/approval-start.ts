import type { Permission } from "../../../app/session/session.ts";

/** How an approval is used. */
export interface Start {
  path: string;
  needs: readonly Permission[];
}

interface ApprovalSubject {
  kind: string;
  playbook_id: string | null;
  parameters: Readonly<Record<string, unknown>>;
}

/** The request that the approval was created for. Undefined if no user starts it: it proceeds automatically. */
export function findStart({ kind, playbook_id, parameters }: ApprovalSubject): Start | undefined {
  const { endpoint_id, device_id, action } = parameters;
  if (kind === "playbook" && playbook_id !== null) {
    return { path: `/soar/playbooks/${encodeURIComponent(playbook_id)}/execute`, needs: ["soar:execute"] };
  }
  if (kind !== "action") return undefined;
  if (typeof endpoint_id === "string" && (action === "isolate" || action === "unisolate")) {
    return { path: `/edr/endpoints/${encodeURIComponent(endpoint_id)}/${action}`, needs: ["edr:manage"] };
  }
  if (typeof device_id === "string") {
    return { path: `/cps/devices/${encodeURIComponent(device_id)}/revoke`, needs: ["cps:manage"] };
  }
  return undefined;
}

interface Decision {
  policy: { four_eyes: boolean };
  votes: readonly { decided_by: string }[];
}

/** Any permitted caller may use an approval; with four eyes, a person who decided it may not. */
export function mayUse({ policy, votes }: Decision, username: string): boolean {
  return !policy.four_eyes || votes.every(({ decided_by }) => decided_by !== username);
}
