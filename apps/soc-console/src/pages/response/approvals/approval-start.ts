import type { Permission } from "../../../app/session/session.ts";

/** How the requester uses an approval. */
export interface Start {
  path: string;
  needs: readonly Permission[];
}

interface Asked {
  kind: string;
  playbook_id: string | null;
  parameters: Readonly<Record<string, unknown>>;
}

/** The request that the approval was asked for. Undefined when no person starts it: it goes on by itself. */
export function findStart({ kind, playbook_id, parameters }: Asked): Start | undefined {
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
