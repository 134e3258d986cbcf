import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Effect } from "../../foundation/actions/action.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { ApprovalGate } from "../../response/module.ts";
import type { DeviceBody, RevocationPendingBody } from "./devices.schema.ts";
import type { DevicesService } from "./devices.service.ts";

export interface RevocationCommandsDeps {
  changes: ChangesService;
  devices: Pick<DevicesService, "get" | "beginRevocation" | "finishRevocation">;
  gate: Pick<ApprovalGate, "request" | "use">;
  /** The value of SOC_FOUR_EYES: a revocation needs the approval of another person. */
  fourEyes: boolean;
  ids: Pick<Ids, "next">;
}
export type RevocationCommandsService = ReturnType<typeof createRevocationCommandsService>;

type RevocationResult = { device: DeviceBody } | { approval_id: string };

const NO_PLAYBOOK = { kind: "action", playbook_id: null, playbook_version: null } as const;

/** Handles revocations that users request by the route. Under four eyes they pass the approval gate. */
export function createRevocationCommandsService(deps: RevocationCommandsDeps) {
  const { changes, devices, gate, fourEyes, ids } = deps;

  async function revoke(tx: Tx, caller: Caller, id: string): Promise<RevocationResult> {
    const by = { actor: caller.username, details: {} };
    return { device: await devices.beginRevocation(toScope(caller), tx, id, by) };
  }

  async function ask(tx: Tx, { username }: Caller, { id, name, site }: DeviceBody): Promise<RevocationResult> {
    const { id: approval_id } = await gate.request(tx, {
      ...NO_PLAYBOOK,
      action: "Revoke the certificate of a device",
      justification: "",
      alert_id: null,
      case_id: null,
      site,
      parameters: { device_id: id },
      effect: [buildEffect(id, name)],
      requested_by: username,
      requesters: [username],
    });
    return { approval_id };
  }

  async function consume(tx: Tx, caller: Caller, device: DeviceBody, approval_id: string): Promise<RevocationResult> {
    const { id, name } = device;
    const used = await gate.use(tx, {
      ...NO_PLAYBOOK,
      approval_id,
      parameters: { device_id: id },
      alert_id: undefined,
      case_id: undefined,
      effect: [buildEffect(id, name)],
      caller: caller.username,
      scope: toScope(caller),
      execution_id: ids.next(),
    });
    switch (used.outcome) {
      case "pending":
        return { approval_id: used.approval.id };
      case "used":
        return revoke(tx, caller, id);
      case "before":
        // A consumed approval revokes nothing: neither the device again nor another one.
        if (device.status === "revoking" || device.status === "revoked") return { device };
        throw new Problem("conflict", `approval_id: '${approval_id}' was granted for another action`);
      default:
        return used satisfies never;
    }
  }

  return {
    async run(
      caller: Caller,
      device_id: string,
      approval_id?: string,
    ): Promise<Outcome<DeviceBody | RevocationPendingBody>> {
      if (!isUuid(device_id)) throw notFound("device", device_id);
      const device = await devices.get(toScope(caller), device_id);
      const { dry_run, result } = await changes.runAs(caller, "change", (tx): Promise<RevocationResult> => {
        if (!fourEyes) return revoke(tx, caller, device.id);
        return approval_id === undefined ? ask(tx, caller, device) : consume(tx, caller, device, approval_id);
      });
      if ("approval_id" in result) return { dry_run, result: toPending(device.id, result.approval_id) };
      return { dry_run, result: dry_run ? result.device : await devices.finishRevocation(toScope(caller), device.id) };
    },
  };
}

function buildEffect(id: string, name: string): Effect {
  return { summary: `Revokes the certificate of device ${name} (${id}) and ends its sessions`, sends: [] };
}

function toPending(device_id: string, approval_id: string): RevocationPendingBody {
  return {
    status: "pending_approval",
    device_id,
    approval_id,
    requires_approval: true,
    message: "Four eyes are required: after another person has approved, repeat the call with approval_id.",
  };
}
